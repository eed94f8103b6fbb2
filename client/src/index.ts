import { Callbacks } from './callbacks.ts'
import { Categories, Templates, Units } from './catalogue.ts'
import { EventBindings } from './event-bindings.ts'
import { Groups } from './groups.ts'
import { Messages } from './messages.ts'
import { type SigningKey, sendEvent, sendEvents } from './send-event.ts'
import { Subjects } from './subjects.ts'
import { Topics } from './topics.ts'
import { type CarillonOptions, connectTo, type RequestOptions, type Send } from './transport.ts'
import type { EventAnswer, EventAnswers, SystemEvent } from './types.ts'

export { CarillonError } from './error.ts'
export type { SigningKey } from './send-event.ts'
export type { SendResult } from './send-message.ts'
export type { CarillonOptions, RequestOptions } from './transport.ts'
export type * from './types.ts'
export { type CallbackEvent, verifyCallback } from './verify-callback.ts'

/** The whole service, as a producer sees it. */
export class Carillon {
  readonly messages: Messages
  readonly categories: Categories
  readonly templates: Templates
  readonly units: Units
  readonly topics: Topics
  readonly groups: Groups
  readonly subjects: Subjects
  readonly callbacks: Callbacks
  readonly eventBindings: EventBindings
  readonly #send: Send

  constructor(options: CarillonOptions) {
    this.#send = connectTo(options)
    this.messages = new Messages(this.#send)
    this.categories = new Categories(this.#send)
    this.templates = new Templates(this.#send)
    this.units = new Units(this.#send)
    this.topics = new Topics(this.#send)
    this.groups = new Groups(this.#send)
    this.subjects = new Subjects(this.#send)
    this.callbacks = new Callbacks(this.#send)
    this.eventBindings = new EventBindings(this.#send)
  }

  /**
   * Says what happened elsewhere, signed with a key of EVENT_SIGNING_KEYS. May be repeated: an event that has made its
   * message is answered the same, with duplicate true. @throws CarillonError
   */
  sendEvent(source: string, key: SigningKey, event: SystemEvent): Promise<EventAnswer> {
    return sendEvent(this.#send, source, key, event)
  }

  /** The same for up to 100 events at once; one answer each, in their order. @throws CarillonError */
  sendEvents(source: string, key: SigningKey, events: SystemEvent[]): Promise<EventAnswers> {
    return sendEvents(this.#send, source, key, events)
  }

  /** Any operation that answers JSON, also one without a method here: `request('GET', '/v1/health')`. @throws CarillonError */
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Promise<T> {
    return this.#send<T>(method, path, options)
  }
}

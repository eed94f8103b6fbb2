import { Callbacks } from './callbacks.ts'
import { Categories, Templates, Units } from './catalogue.ts'
import { EventBindings } from './event-bindings.ts'
import { Groups } from './groups.ts'
import { Messages } from './messages.ts'
import { Metrics } from './metrics.ts'
import { RecordedEvents } from './recorded-events.ts'
import { type SigningKey, sendEvent, sendEvents } from './send-event.ts'
import { Subjects } from './subjects.ts'
import { Topics } from './topics.ts'
import { type CarillonOptions, connectTo, type RequestOptions, type Send } from './transport.ts'
import type { EventAnswer, EventAnswers, SystemEvent } from './types.ts'

export { CarillonError } from './error.ts'
export type { SigningKey } from './send-event.ts'
export type { SendResult } from './send-message.ts'
export type { CarillonOptions, Credential, RequestOptions } from './transport.ts'
export type * from './types.ts'
export { type CallbackEvent, verifyCallback } from './verify-callback.ts'
export { type Lookup, type LookupRequest, verifyLookup } from './verify-lookup.ts'

/** A client of the service for producers, and for people with a session. */
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
  readonly recordedEvents: RecordedEvents
  readonly metrics: Metrics
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
    this.recordedEvents = new RecordedEvents(this.#send)
    this.metrics = new Metrics(this.#send)
  }

  /**
   * Sends an event, signed with a key of EVENT_SIGNING_KEYS. Safe to repeat: an event that has created its message
   * returns the same answer with duplicate true. @throws CarillonError
   */
  sendEvent(source: string, key: SigningKey, event: SystemEvent): Promise<EventAnswer> {
    return sendEvent(this.#send, source, key, event)
  }

  /** Sends up to 100 events at once; returns one answer per event, in order. @throws CarillonError */
  sendEvents(source: string, key: SigningKey, events: SystemEvent[]): Promise<EventAnswers> {
    return sendEvents(this.#send, source, key, events)
  }

  /** Calls any operation that returns JSON: `request('GET', '/v1/health')`. @throws CarillonError */
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Promise<T> {
    return this.#send<T>(method, path, options)
  }
}

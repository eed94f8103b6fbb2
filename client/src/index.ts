import { Admin } from './admin.ts'
import { Approvals } from './approvals.ts'
import { Callbacks } from './callbacks.ts'
import { Categories } from './categories.ts'
import { EventBindings } from './event-bindings.ts'
import { Groups } from './groups.ts'
import { Handoffs } from './handoffs.ts'
import { Imports } from './imports.ts'
import { Media } from './media.ts'
import { Messages } from './messages.ts'
import { Metrics } from './metrics.ts'
import { OwnKey } from './own-key.ts'
import { Patterns } from './patterns.ts'
import { RecordedEvents } from './recorded-events.ts'
import { Runs } from './runs.ts'
import { Scenarios } from './scenarios.ts'
import { Schedules } from './schedules.ts'
import { type SigningKey, sendEvent, sendEvents } from './send-event.ts'
import { Subjects } from './subjects.ts'
import { Templates } from './templates.ts'
import { Topics } from './topics.ts'
import { type CarillonOptions, connectTo, type RequestOptions, type Send } from './transport.ts'
import type { EventAnswer, EventAnswers, Health, SystemEvent } from './types.ts'
import { Units } from './units.ts'

export type { Admin } from './admin.ts'
export type { Approvals } from './approvals.ts'
export type { Callbacks } from './callbacks.ts'
export type { Categories } from './categories.ts'
export { CarillonError, type ErrorCode } from './error.ts'
export type { EventBindings } from './event-bindings.ts'
export type { Groups } from './groups.ts'
export type { Handoffs } from './handoffs.ts'
export type { Imports } from './imports.ts'
export type { Listing } from './listing.ts'
export type { Media } from './media.ts'
export type { Messages } from './messages.ts'
export type { Metrics } from './metrics.ts'
export { nonEmpty } from './non-empty.ts'
export type { OwnKey } from './own-key.ts'
export type { Patterns } from './patterns.ts'
export type { RecordedEvents } from './recorded-events.ts'
export type { Runs } from './runs.ts'
export type { Scenarios } from './scenarios.ts'
export type { Schedules } from './schedules.ts'
export type { SigningKey } from './send-event.ts'
export type { SendResult } from './send-message.ts'
export type { Subjects } from './subjects.ts'
export type { Templates } from './templates.ts'
export type { Topics } from './topics.ts'
export type { CarillonOptions, Credential, RequestOptions } from './transport.ts'
export type * from './types.ts'
export type { Units } from './units.ts'
export { verifyCallback } from './verify-callback.ts'
export { type Lookup, type LookupTarget, verifyLookup } from './verify-lookup.ts'

/**
 * A client of the service for producers, and for people with a session. Calls that may be repeated are, after a lost answer
 * or where the service asks for it.
 *
 * @example
 * const carillon = new Carillon({ baseUrl: 'https://hub.example.org', key: process.env.CARILLON_KEY! })
 */
export class Carillon {
  /** What the key that calls may do. */
  readonly key: OwnKey
  /** Message intents, from draft to sent. */
  readonly messages: Messages
  /** The categories and their rules. */
  readonly categories: Categories
  /** Reusable approved texts. */
  readonly templates: Templates
  /** The caller's unit, its quota and its audit log. */
  readonly units: Units
  /** What waits for an approver. */
  readonly approvals: Approvals
  /** What recipients can unsubscribe from separately. */
  readonly topics: Topics
  /** Static lists and named queries of subjects. */
  readonly groups: Groups
  /** People: addresses, consents, attributes. */
  readonly subjects: Subjects
  /** Subjects from files. */
  readonly imports: Imports
  /** Pictures for messages. */
  readonly media: Media
  /** Conversations, and starting them. */
  readonly scenarios: Scenarios
  /** One conversation with one person. */
  readonly runs: Runs
  /** Registrations, surveys and rsvps. */
  readonly patterns: Patterns
  /** Messages and starts of scenarios at set times. */
  readonly schedules: Schedules
  /** Conversations that people of the unit take over. */
  readonly handoffs: Handoffs
  /** Signed requests to your own endpoint when a message changes or is answered. */
  readonly callbacks: Callbacks
  /** The rules that turn events into messages or runs. */
  readonly eventBindings: EventBindings
  /** The outcome of each event. */
  readonly recordedEvents: RecordedEvents
  /** Counts and ratios. */
  readonly metrics: Metrics
  /** The installation, with the session of a system administrator. */
  readonly admin: Admin
  readonly #send: Send

  /** @throws TypeError if an option is missing or cannot be used */
  constructor(options: CarillonOptions) {
    this.#send = connectTo(options)
    this.key = new OwnKey(this.#send)
    this.messages = new Messages(this.#send)
    this.categories = new Categories(this.#send)
    this.templates = new Templates(this.#send)
    this.units = new Units(this.#send)
    this.approvals = new Approvals(this.#send)
    this.topics = new Topics(this.#send)
    this.groups = new Groups(this.#send)
    this.subjects = new Subjects(this.#send)
    this.imports = new Imports(this.#send)
    this.media = new Media(this.#send)
    this.scenarios = new Scenarios(this.#send)
    this.runs = new Runs(this.#send)
    this.patterns = new Patterns(this.#send)
    this.schedules = new Schedules(this.#send)
    this.handoffs = new Handoffs(this.#send)
    this.callbacks = new Callbacks(this.#send)
    this.eventBindings = new EventBindings(this.#send)
    this.recordedEvents = new RecordedEvents(this.#send)
    this.metrics = new Metrics(this.#send)
    this.admin = new Admin(this.#send)
  }

  /**
   * Sends an event, signed with a key that a system administrator issued. Safe to repeat: an event that has created its message
   * returns the same answer with duplicate true. @throws CarillonError
   *
   * @example
   * const answer = await carillon.sendEvent('sis', { id: 'sis-2030', secret }, {
   *   eventId: 'admission-1042',
   *   type: 'admission.granted',
   *   occurredAt: new Date().toISOString(),
   *   subjectUids: ['b10902042'],
   *   data: { name: '林小雨' },
   * })
   */
  sendEvent(source: string, key: SigningKey, event: SystemEvent): Promise<EventAnswer> {
    return sendEvent(this.#send, source, key, event)
  }

  /** Sends up to 100 events at once; returns one answer per event, in order. @throws CarillonError */
  sendEvents(source: string, key: SigningKey, events: SystemEvent[]): Promise<EventAnswers> {
    return sendEvents(this.#send, source, key, events)
  }

  /** The state of the service. It needs no credential, and always succeeds: read `status`. @throws CarillonError */
  health(): Promise<Health> {
    return this.#send('GET', '/v1/health')
  }

  /**
   * Calls any operation that returns JSON. Repeated only if it is a GET, has an Idempotency-Key, or you say that it is
   * `repeatable`. @throws CarillonError
   *
   * @example
   * const { items } = await carillon.request<CategoryPage>('GET', '/v1/categories', { query: { limit: 5 } })
   */
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Promise<T> {
    return this.#send<T>(method, path, options)
  }
}

import { type Listing, listing } from './listing.ts'
import type { Send } from './transport.ts'
import type { EventAnswer, RecordedEvent, RecordedEventListQuery, RecordedEventPage } from './types.ts'

/** The outcomes of the events matched by the bindings of the key's unit. */
export class RecordedEvents {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Newest first. */
  list(query: RecordedEventListQuery = {}): Listing<RecordedEventPage> {
    return listing(this.#send, '/v1/recorded-events', query)
  }

  /** One event with its outcome. */
  get(id: string): Promise<RecordedEvent> {
    return this.#send('GET', pathOf(id))
  }

  /** Processes it again, with the binding and template in force. Safe to repeat. */
  replay(id: string): Promise<EventAnswer> {
    return this.#send('POST', `${pathOf(id)}/replay`, { repeatable: true })
  }
}

function pathOf(id: string): string {
  return `/v1/recorded-events/${encodeURIComponent(id)}`
}

import { type Listing, listing } from './listing.ts'
import { deletion } from './move.ts'
import type { Send } from './transport.ts'
import type {
  Callback,
  CallbackDeliveryPage,
  CallbackListQuery,
  CallbackPage,
  CreateCallback,
  CreatedCallback,
  DeletedCallback,
  EditCallback,
  PageQuery,
  RotatedCallback,
  TestedCallback,
} from './types.ts'

/** Callbacks of the key's unit: signed webhooks about its messages. `verifyCallback` verifies their requests. */
export class Callbacks {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Newest first. */
  list(query: CallbackListQuery = {}): Listing<CallbackPage> {
    return listing(this.#send, '/v1/callbacks', query)
  }

  /** The secret is returned only in this response. */
  create(body: CreateCallback): Promise<CreatedCallback> {
    return this.#send('POST', '/v1/callbacks', { body })
  }

  /** One callback with its state. */
  get(id: string): Promise<Callback> {
    return this.#send('GET', pathOf(id))
  }

  /** Omitted fields are unchanged. On an enabled callback `{enabled: true}` sends pending deliveries immediately. */
  update(id: string, body: EditCallback): Promise<Callback> {
    return this.#send('PATCH', pathOf(id), { body, repeatable: true })
  }

  /** Its pending deliveries are dropped. */
  delete(id: string): Promise<DeletedCallback> {
    return deletion(this.#send, pathOf(id))
  }

  /** Issues a new secret; for a day requests are also signed with the old one. */
  rotate(id: string): Promise<RotatedCallback> {
    return this.#send('POST', `${pathOf(id)}/rotate`)
  }

  /** Sends a `callback.test` now and returns the result. */
  test(id: string): Promise<TestedCallback> {
    return this.#send('POST', `${pathOf(id)}/test`)
  }

  /** Its deliveries, newest first. */
  deliveries(id: string, query: PageQuery = {}): Listing<CallbackDeliveryPage> {
    return listing(this.#send, `${pathOf(id)}/deliveries`, query)
  }
}

function pathOf(id: string): string {
  return `/v1/callbacks/${encodeURIComponent(id)}`
}

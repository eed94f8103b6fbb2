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

/** Signed webhooks of the key's unit: who is told what becomes of its messages. `verifyCallback` checks what comes. */
export class Callbacks {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  list(query: CallbackListQuery = {}): Promise<CallbackPage> {
    return this.#send('GET', '/v1/callbacks', { query })
  }

  /** The secret is in this answer alone. */
  create(body: CreateCallback): Promise<CreatedCallback> {
    return this.#send('POST', '/v1/callbacks', { body })
  }

  get(id: string): Promise<Callback> {
    return this.#send('GET', pathOf(id))
  }

  /** What is left out stays; `{enabled: true}` also sends at once what waits for a later try. */
  update(id: string, body: EditCallback): Promise<Callback> {
    return this.#send('PATCH', pathOf(id), { body })
  }

  delete(id: string): Promise<DeletedCallback> {
    return this.#send('DELETE', pathOf(id))
  }

  /** A new secret; for a day the old one signs as well. */
  rotate(id: string): Promise<RotatedCallback> {
    return this.#send('POST', `${pathOf(id)}/rotate`)
  }

  /** Sends a `callback.test` now, and says how it went. */
  test(id: string): Promise<TestedCallback> {
    return this.#send('POST', `${pathOf(id)}/test`)
  }

  /** What it was told, newest first. */
  deliveries(id: string, query: PageQuery = {}): Promise<CallbackDeliveryPage> {
    return this.#send('GET', `${pathOf(id)}/deliveries`, { query })
  }
}

function pathOf(id: string): string {
  return `/v1/callbacks/${encodeURIComponent(id)}`
}

import { idempotent } from './idempotent.ts'
import { type Listing, listing } from './listing.ts'
import { move } from './move.ts'
import type { Send } from './transport.ts'
import type {
  ClosedHandoff,
  HandoffDetail,
  HandoffPage,
  HandoffQuery,
  HandoffReply,
  ReplyInHandoff,
} from './types.ts'

/** Conversations that people of the unit have taken over. With a key that has individual targeting, or a session. */
export class Handoffs {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Newest first. */
  list(query: HandoffQuery = {}): Listing<HandoffPage> {
    return listing(this.#send, '/v1/handoffs', query)
  }

  /** The handoff with what the person said and the unit replied. */
  get(id: string): Promise<HandoffDetail> {
    return this.#send('GET', pathOf(id))
  }

  /**
   * Replies in the chat. Repeated with the same key, it sends nothing more.
   *
   * @example
   * await carillon.handoffs.reply(id, { messages: [{ kind: 'text', text: { 'zh-TW': '您好' } }] })
   */
  reply(
    id: string,
    body: ReplyInHandoff,
    options: { idempotencyKey?: string | undefined } = {},
  ): Promise<HandoffReply> {
    return this.#send('POST', `${pathOf(id)}/reply`, { body, headers: idempotent(options) })
  }

  /** Ends it; a run of a scenario that waits for it goes on. */
  close(id: string): Promise<ClosedHandoff> {
    const answer = (): ClosedHandoff => ({ id, state: 'closed' })
    return move(this.#send, `${pathOf(id)}/close`, { to: ['closed'], answer })
  }
}

function pathOf(id: string): string {
  return `/v1/handoffs/${encodeURIComponent(id)}`
}

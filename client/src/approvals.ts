import { type Listing, listing } from './listing.ts'
import type { Send } from './transport.ts'
import type { WaitingApprovalPage, WaitingApprovalQuery } from './types.ts'

/** What waits for an approver, with a session. Decide with `approve` and `reject` of the kind: messages, templates, … */
export class Approvals {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Messages, and versions of templates, event bindings and scenarios, oldest first. */
  list(query: WaitingApprovalQuery = {}): Listing<WaitingApprovalPage> {
    return listing(this.#send, '/v1/approvals', query)
  }
}

import { type Listing, listing } from './listing.ts'
import { deletion, move } from './move.ts'
import type { Send } from './transport.ts'
import type {
  ApproveEventBinding,
  CreateEventBinding,
  DeletedEventBinding,
  EventBindingDetail,
  EventBindingListQuery,
  EventBindingPage,
  EventReplay,
  RejectEventBinding,
  UpdateEventBinding,
} from './types.ts'

/** Event bindings of the caller's unit. */
export class EventBindings {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Newest first. */
  list(query: EventBindingListQuery = {}): Listing<EventBindingPage> {
    return listing(this.#send, '/v1/event-bindings', query)
  }

  /**
   * Binds a source and type to a template and an audience, or to a scenario. It may wait for an approver before it is in
   * force.
   */
  create(body: CreateEventBinding): Promise<EventBindingDetail> {
    return this.#send('POST', '/v1/event-bindings', { body })
  }

  /** One binding, with the version in force and the newest one. */
  get(id: string): Promise<EventBindingDetail> {
    return this.#send('GET', pathOf(id))
  }

  /**
   * Omitted fields are unchanged. Unless the change disables or narrows the binding, it waits for an approver: then
   * `newest.state` is `submitted`, and the fields above are those still in force.
   */
  update(id: string, body: UpdateEventBinding): Promise<EventBindingDetail> {
    return this.#send('PATCH', pathOf(id), { body })
  }

  /** With an approver's session; producer keys receive 403 forbidden. */
  approve(id: string, body: ApproveEventBinding = {}): Promise<EventBindingDetail> {
    const answer = () => this.get(id)
    return move(this.#send, `${pathOf(id)}/approve`, { body, to: ['in_force'], answer })
  }

  /** With an approver's session; producer keys receive 403 forbidden. */
  reject(id: string, body: RejectEventBinding): Promise<EventBindingDetail> {
    const answer = () => this.get(id)
    return move(this.#send, `${pathOf(id)}/reject`, { body, to: ['rejected'], answer })
  }

  /** Its events get no_binding from now on. */
  delete(id: string): Promise<DeletedEventBinding> {
    return deletion(this.#send, pathOf(id))
  }

  /** Processes its recorded events that created no message again. */
  replay(id: string): Promise<EventReplay> {
    return this.#send('POST', `${pathOf(id)}/replay`)
  }
}

function pathOf(id: string): string {
  return `/v1/event-bindings/${encodeURIComponent(id)}`
}

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

  list(query: EventBindingListQuery = {}): Promise<EventBindingPage> {
    return this.#send('GET', '/v1/event-bindings', { query })
  }

  create(body: CreateEventBinding): Promise<EventBindingDetail> {
    return this.#send('POST', '/v1/event-bindings', { body })
  }

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
    return this.#send('POST', `${pathOf(id)}/approve`, { body })
  }

  /** With an approver's session; producer keys receive 403 forbidden. */
  reject(id: string, body: RejectEventBinding): Promise<EventBindingDetail> {
    return this.#send('POST', `${pathOf(id)}/reject`, { body })
  }

  delete(id: string): Promise<DeletedEventBinding> {
    return this.#send('DELETE', pathOf(id))
  }

  /** Processes its recorded events that created no message again. */
  replay(id: string): Promise<EventReplay> {
    return this.#send('POST', `${pathOf(id)}/replay`)
  }
}

function pathOf(id: string): string {
  return `/v1/event-bindings/${encodeURIComponent(id)}`
}

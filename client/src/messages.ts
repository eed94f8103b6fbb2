import { type SendResult, sendMessage } from './send-message.ts'
import type { RequestOptions, Send } from './transport.ts'
import type {
  ApprovalOutcome,
  ApproveMessage,
  CreatedMessage,
  CreateMessage,
  DryRun,
  EditedMessage,
  EditMessage,
  MessageAnswerPage,
  MessageAnswerQuery,
  MessageDeliveryPage,
  MessageDeliveryQuery,
  MessageDetail,
  MessageListQuery,
  MessagePage,
  MovedMessage,
  Preview,
  PreviewMessage,
  RejectMessage,
  RetryMessage,
  TestSend,
  TestSent,
} from './types.ts'

/** Message intents: write, preview, submit, approve, send. Every method throws CarillonError. */
export class Messages {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Creates a draft. After a lost response, repeat it with the same key: only one message is created. */
  create(body: CreateMessage, options: { idempotencyKey?: string } = {}): Promise<CreatedMessage> {
    const headers = { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() }
    return this.#send('POST', '/v1/messages', { body, headers })
  }

  /**
   * With a producer key: creates, submits and runs the automatic check; `approved` false means that a person must approve
   * it. `unknown`: how many uids of the audience belong to nobody. With a session use the single steps: the last one is another person's approval.
   */
  send(body: CreateMessage, options: { idempotencyKey?: string } = {}): Promise<SendResult> {
    return sendMessage(this, body, options)
  }

  /** Creates a draft from a message in any state, such as a rejected one. Safe to repeat with the same key. */
  copy(id: string, options: { idempotencyKey?: string } = {}): Promise<CreatedMessage> {
    const headers = { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() }
    return this.#post(id, 'copy', { headers })
  }

  /** Edits a draft; with `ifMatch`, only if it still has that version. */
  edit(id: string, changes: EditMessage, { ifMatch }: { ifMatch?: number } = {}): Promise<EditedMessage> {
    const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }
    return this.#send('PATCH', pathOf(id), { body: changes, headers })
  }

  /** Forecasts recipients and quota, in numbers. */
  dryRun(id: string): Promise<DryRun> {
    return this.#post(id, 'dry-run')
  }

  /** What a recipient with this language sees on a channel. */
  preview(id: string, body: PreviewMessage): Promise<Preview> {
    return this.#post(id, 'preview', { body })
  }

  /** Sends it only to the person whose session calls, marked as a test. Producer keys receive 403 forbidden. */
  testSend(id: string, body: TestSend = {}): Promise<TestSent> {
    return this.#post(id, 'test-send', { body })
  }

  submit(id: string): Promise<MovedMessage> {
    return this.#post(id, 'submit')
  }

  /** With a producer key: runs the automatic check. With an approver's session: approves. */
  approve(id: string, body: ApproveMessage = {}): Promise<ApprovalOutcome> {
    return this.#post(id, 'approve', { body })
  }

  /** With an approver's session; producer keys receive 403 forbidden. */
  reject(id: string, body: RejectMessage): Promise<MovedMessage> {
    return this.#post(id, 'reject', { body })
  }

  cancel(id: string): Promise<MovedMessage> {
    return this.#post(id, 'cancel')
  }

  pause(id: string): Promise<MovedMessage> {
    return this.#post(id, 'pause')
  }

  resume(id: string): Promise<MovedMessage> {
    return this.#post(id, 'resume')
  }

  /**
   * Ends a send in progress: calls in flight finish, the remaining recipients are skipped. Before that, use `cancel`.
   */
  stop(id: string): Promise<MovedMessage> {
    return this.#post(id, 'stop')
  }

  /** Retries a parked send now; with `skip`, skips the remaining recipients and finishes the message. */
  retry(id: string, body: RetryMessage = {}): Promise<MovedMessage> {
    return this.#post(id, 'retry', { body })
  }

  get(id: string): Promise<MessageDetail> {
    return this.#send('GET', pathOf(id))
  }

  /**
   * One page of who was sent it, and why not the others. With a key that has individual targeting, or a session of an
   * administrative unit.
   */
  deliveries(id: string, query: MessageDeliveryQuery = {}): Promise<MessageDeliveryPage> {
    return this.#send('GET', `${pathOf(id)}/deliveries`, { query })
  }

  /** One page of who answered what; for the same callers as `deliveries`. */
  answers(id: string, query: MessageAnswerQuery = {}): Promise<MessageAnswerPage> {
    return this.#send('GET', `${pathOf(id)}/answers`, { query })
  }

  /** One page, newest first; pass its `nextCursor` as `cursor` to get the next. */
  list(query: MessageListQuery = {}): Promise<MessagePage> {
    return this.#send('GET', '/v1/messages', { query })
  }

  #post<T>(id: string, verb: string, options?: RequestOptions): Promise<T> {
    return this.#send('POST', `${pathOf(id)}/${verb}`, options)
  }
}

function pathOf(id: string): string {
  return `/v1/messages/${encodeURIComponent(id)}`
}

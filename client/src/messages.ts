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

  /** Writes a draft. Repeat it with the same key after a lost answer: there will be one message. */
  create(body: CreateMessage, options: { idempotencyKey?: string } = {}): Promise<CreatedMessage> {
    const headers = { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() }
    return this.#send('POST', '/v1/messages', { body, headers })
  }

  /** Create, submit and the automatic check in one call; `approved` false means that it waits for a person. */
  send(body: CreateMessage, options: { idempotencyKey?: string } = {}): Promise<SendResult> {
    return sendMessage(this, body, options)
  }

  /** Changes a draft; with `ifMatch` only if its version is still that one. */
  edit(id: string, changes: EditMessage, { ifMatch }: { ifMatch?: number } = {}): Promise<EditedMessage> {
    const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }
    return this.#send('PATCH', pathOf(id), { body: changes, headers })
  }

  /** What it would do, in numbers. */
  dryRun(id: string): Promise<DryRun> {
    return this.#post(id, 'dry-run')
  }

  /** What a reader of this language gets on a channel. */
  preview(id: string, body: PreviewMessage): Promise<Preview> {
    return this.#post(id, 'preview', { body })
  }

  /** To the caller alone, marked as a test. For people; a producer key has no address and is answered 403 forbidden. */
  testSend(id: string, body: TestSend = {}): Promise<TestSent> {
    return this.#post(id, 'test-send', { body })
  }

  submit(id: string): Promise<MovedMessage> {
    return this.#post(id, 'submit')
  }

  /** With a producer key: asks the automatic check. */
  approve(id: string, body: ApproveMessage = {}): Promise<ApprovalOutcome> {
    return this.#post(id, 'approve', { body })
  }

  /** For approvers; a producer key is answered 403 forbidden. */
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

  /** Ends a send that has begun: the calls under way finish, whoever is left is skipped. Before that, cancel. */
  stop(id: string): Promise<MovedMessage> {
    return this.#post(id, 'stop')
  }

  /** A parked send tries again now; with `skip`, whoever is left is given up and the message finishes. */
  retry(id: string, body: RetryMessage = {}): Promise<MovedMessage> {
    return this.#post(id, 'retry', { body })
  }

  get(id: string): Promise<MessageDetail> {
    return this.#send('GET', pathOf(id))
  }

  /** One page, newest first; give `nextCursor` of one as `cursor` of the next. */
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

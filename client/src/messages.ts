import { idempotent } from './idempotent.ts'
import { type Listing, listing } from './listing.ts'
import { move } from './move.ts'
import { approvedStates, type SendResult, sendMessage } from './send-message.ts'
import type { Send } from './transport.ts'
import type {
  ApprovalOutcome,
  ApproveMessage,
  AudienceValues,
  AudienceValuesQuery,
  CreatedMessage,
  CreateMessage,
  DryRun,
  EditedMessage,
  EditMessage,
  MessageAnswersPage,
  MessageAnswersQuery,
  MessageDeliveryPage,
  MessageDeliveryQuery,
  MessageDetail,
  MessageListQuery,
  MessagePage,
  MessageState,
  MovedMessage,
  NamedOrganisers,
  NameOrganisers,
  Preview,
  PreviewMessage,
  RejectMessage,
  RetryMessage,
  SubmitMessage,
  TestSend,
  TestSent,
  Trace,
  WithdrawMessage,
} from './types.ts'

/** Message intents: write, preview, submit, approve, send. Every method throws CarillonError. */
export class Messages {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /**
   * Creates a draft. Repeated with the same key, it returns the message that the first call created. Without a key,
   * each call creates one; its retries share a key.
   */
  create(
    body: CreateMessage,
    options: { idempotencyKey?: string | undefined } = {},
  ): Promise<CreatedMessage> {
    return this.#send('POST', '/v1/messages', { body, headers: idempotent(options) })
  }

  /**
   * With a producer key: creates, submits and runs the automatic check; `approved` false means that a person must
   * approve it. `unknownUids`: how many uids of the audience have no subject. With a session use the single steps: the last
   * one is another person's approval.
   *
   * @example
   * const sent = await carillon.messages.send(
   *   { categoryId: 'campus-events', templateId, variables: { day: '12/5' }, audience: { kind: 'all' } },
   *   { idempotencyKey: 'open-day-2030' },
   * )
   * if (!sent.approved) console.log(`Waits for a person: ${sent.reason}`)
   */
  send(body: CreateMessage, options: { idempotencyKey?: string | undefined } = {}): Promise<SendResult> {
    return sendMessage(this, body, options)
  }

  /** Creates a draft from a message in any state, such as a rejected one. Safe to repeat with the same key. */
  copy(id: string, options: { idempotencyKey?: string | undefined } = {}): Promise<CreatedMessage> {
    return this.#send('POST', `${pathOf(id)}/copy`, { headers: idempotent(options) })
  }

  /** Edits a draft; with `ifMatch`, only if it still has that version. */
  edit(
    id: string,
    changes: EditMessage,
    { ifMatch }: { ifMatch?: number | undefined } = {},
  ): Promise<EditedMessage> {
    const body = changes
    if (ifMatch === undefined) return this.#send('PATCH', pathOf(id), { body, repeatable: true })
    return this.#send('PATCH', pathOf(id), { body, headers: { 'if-match': `"${ifMatch}"` } })
  }

  /** Forecasts what `create` would make of this body; nothing is stored. */
  dryRunUnsaved(body: CreateMessage): Promise<DryRun> {
    return this.#send('POST', '/v1/dry-run', { body, repeatable: true })
  }

  /** What a recipient with this language would see of it on a channel; nothing is stored. */
  previewUnsaved(body: CreateMessage, query: PreviewMessage): Promise<Preview> {
    return this.#send('POST', '/v1/preview', { body, query, repeatable: true })
  }

  /** Forecasts recipients and quota, in numbers. */
  dryRun(id: string): Promise<DryRun> {
    return this.#send('POST', `${pathOf(id)}/dry-run`, { repeatable: true })
  }

  /** What a recipient with this language sees on a channel. */
  preview(id: string, body: PreviewMessage): Promise<Preview> {
    return this.#send('POST', `${pathOf(id)}/preview`, { body, repeatable: true })
  }

  /** Sends it only to the person whose session calls, marked as a test. Producer keys receive 403 forbidden. */
  testSend(id: string, body: TestSend = {}): Promise<TestSent> {
    return this.#send('POST', `${pathOf(id)}/test-send`, { body })
  }

  /** Stores the dry-run and asks for approval. 400 content_violation names what must be changed before. */
  submit(id: string, body: SubmitMessage = {}): Promise<MovedMessage> {
    return this.#move(id, 'submit', ['submitted', 'approved', 'sending', 'sent'], body)
  }

  /** With a producer key: runs the automatic check. With an approver's session: approves. */
  approve(id: string, body: ApproveMessage = {}): Promise<ApprovalOutcome> {
    const answer = (): ApprovalOutcome => ({ approved: true })
    return move(this.#send, `${pathOf(id)}/approve`, { body, to: approvedStates, answer })
  }

  /** With an approver's session; producer keys receive 403 forbidden. */
  reject(id: string, body: RejectMessage): Promise<MovedMessage> {
    return this.#move(id, 'reject', ['rejected'], body)
  }

  /** Takes back a message that waits for its approval: it is a draft again, to be edited and submitted. */
  withdraw(id: string, body: WithdrawMessage = {}): Promise<MovedMessage> {
    return this.#move(id, 'withdraw', ['draft'], body)
  }

  /** Before the first batch: nothing is sent, and the quota is free again. Of a sent message: cancels its reminder. */
  cancel(id: string): Promise<MovedMessage> {
    return this.#move(id, 'cancel', ['cancelled'])
  }

  /** Holds a message, a send or a reminder; its quota stays reserved. */
  pause(id: string): Promise<MovedMessage> {
    return this.#move(id, 'pause', ['paused'])
  }

  /** Goes on in the state before the pause. */
  resume(id: string): Promise<MovedMessage> {
    return this.#move(id, 'resume', ['approved', 'sending'])
  }

  /** Ends a send in progress: calls in flight finish, the remaining recipients are skipped. Before that, use `cancel`. */
  stop(id: string): Promise<MovedMessage> {
    return this.#move(id, 'stop', ['stopped'])
  }

  /** Retries a parked send now; with `skip`, skips the remaining recipients and finishes the message. */
  retry(id: string, body: RetryMessage = {}): Promise<MovedMessage> {
    return this.#move(id, 'retry', ['approved', 'sending', 'sent'], body)
  }

  /** The message with its content, dry-run, counts and history, and what the caller may do with it. */
  get(id: string): Promise<MessageDetail> {
    return this.#send('GET', pathOf(id))
  }

  /**
   * Who was sent it, and why not the others. With a key that has individual targeting, or a session of an administrative
   * unit.
   */
  deliveries(id: string, query: MessageDeliveryQuery = {}): Listing<MessageDeliveryPage> {
    return listing(this.#send, `${pathOf(id)}/deliveries`, query)
  }

  /**
   * Why this person received it or did not, in sentences. With a key that has individual targeting, or a session of an
   * approver or of an administrative unit.
   */
  trace(id: string, uid: string): Promise<Trace> {
    return this.#send('GET', `${pathOf(id)}/trace`, { query: { uid } })
  }

  /** The values of a dimension, for a form in which an audience is put together. */
  audienceValues(query: AudienceValuesQuery): Promise<AudienceValues> {
    return this.#send('GET', '/v1/audience/values', { query })
  }

  /**
   * Who answered what. With individual targeting, or a session of an approver, of who submitted it or of an organiser.
   */
  answers(id: string, query: MessageAnswersQuery = {}): Listing<MessageAnswersPage> {
    return listing(this.#send, `${pathOf(id)}/answers`, query)
  }

  /** Who of the unit may read the answers. With an approver's session. */
  nameOrganisers(id: string, body: NameOrganisers): Promise<NamedOrganisers> {
    return this.#send('PUT', `${pathOf(id)}/organisers`, { body, repeatable: true })
  }

  /**
   * Newest first.
   *
   * @example
   * for await (const { id, state } of carillon.messages.list({ state: ['sending', 'sent'] })) console.log(id, state)
   */
  list(query: MessageListQuery = {}): Listing<MessagePage> {
    return listing(this.#send, '/v1/messages', query)
  }

  #move(id: string, verb: string, to: MessageState[], body?: unknown): Promise<MovedMessage> {
    const answer = (state: string) => ({ state: state as MessageState })
    return move(this.#send, `${pathOf(id)}/${verb}`, { body, to, answer })
  }
}

function pathOf(id: string): string {
  return `/v1/messages/${encodeURIComponent(id)}`
}

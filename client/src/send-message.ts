import { CarillonError } from './error.ts'
import { stateIn } from './move.ts'
import type {
  ApprovalOutcome,
  CreatedMessage,
  CreateMessage,
  MessageDetail,
  MessageState,
  MovedMessage,
} from './types.ts'

/**
 * The result of `send`. `reason` is that of the automatic check, or the state of a message that has already ended.
 * `recipients` and `unknownUids` are from the dry-run that submit stored: null for a message that was never submitted.
 */
export type SendResult = {
  id: string
  /** The state after `send`. */
  state: MessageState
  /** Subjects who will receive it, and deliveries by channel. */
  recipients: MessageDetail['recipients']
  /** Uids of the audience without a subject. */
  unknownUids: number | null
} & ({ approved: true } | { approved: false; reason: string })

/** The operations that `send` uses. */
type Steps = {
  create(body: CreateMessage, options: { idempotencyKey?: string | undefined }): Promise<CreatedMessage>
  submit(id: string): Promise<MovedMessage>
  get(id: string): Promise<MessageDetail>
  approve(id: string): Promise<ApprovalOutcome>
}

/** The states after an approval. */
export const approvedStates: MessageState[] = ['approved', 'sending', 'sent', 'failed', 'paused', 'stopped']

/**
 * Takes a message as far as a producer can. Every step is safe to repeat: after a lost response, the same call with the
 * same key continues where the first one ended. The numbers are read before the approval: if that fails, nothing is sent.
 */
export async function sendMessage(
  messages: Steps,
  body: CreateMessage,
  options: { idempotencyKey?: string | undefined },
): Promise<SendResult> {
  const { id, state: created } = await messages.create(body, options)
  const state = created === 'draft' ? await unlessAhead(() => messages.submit(id)) : created
  const { recipients, snapshot } = await messages.get(id)
  const about = { id, recipients, unknownUids: snapshot?.recipients.unknownUids ?? null }
  if (state !== 'submitted') return { ...about, ...endOf(state) }
  const outcome = await unlessMoved(() => messages.approve(id))
  if (typeof outcome === 'string') return { ...about, ...endOf(outcome) }
  return { ...about, state: outcome.approved ? 'approved' : 'submitted', ...outcome }
}

async function unlessAhead(submit: () => Promise<{ state: MessageState }>): Promise<MessageState> {
  const answer = await unlessMoved(submit)
  return typeof answer === 'string' ? answer : answer.state
}

/** If another caller, perhaps a repeat of this call, has moved the message already, returns the state it left. */
async function unlessMoved<T>(step: () => Promise<T>): Promise<T | MessageState> {
  try {
    return await step()
  } catch (error) {
    const state = error instanceof CarillonError ? stateIn(error) : undefined
    if (state === undefined) throw error
    return state as MessageState
  }
}

function endOf(state: MessageState) {
  return approvedStates.includes(state)
    ? { state, approved: true as const }
    : { state, approved: false as const, reason: state }
}

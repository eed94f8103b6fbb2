import { CarillonError } from './error.ts'
import type { ApprovalOutcome, CreatedMessage, CreateMessage, MessageState, MovedMessage } from './types.ts'

/** What became of `send`. `reason` is the automatic check's, or the state of a message that is already over. */
export type SendResult = { id: string; approved: true } | { id: string; approved: false; reason: string }

/** The steps it is made of. */
type Steps = {
  create(body: CreateMessage, options: { idempotencyKey?: string }): Promise<CreatedMessage>
  submit(id: string): Promise<MovedMessage>
  approve(id: string): Promise<ApprovalOutcome>
}

/** States that come after an approval. */
const approved: MessageState[] = ['approved', 'sending', 'sent', 'failed', 'paused', 'stopped']

/**
 * Takes a message as far as a producer can. Each step is one that may be repeated: after a lost answer, the same call
 * with the same key goes on where the first one ended.
 */
export async function sendMessage(
  messages: Steps,
  body: CreateMessage,
  options: { idempotencyKey?: string },
): Promise<SendResult> {
  const { id, state: created } = await messages.create(body, options)
  const state = created === 'draft' ? await unlessAhead(() => messages.submit(id)) : created
  if (state !== 'submitted') return resultOf(id, state)
  const outcome = await unlessMoved(() => messages.approve(id))
  return typeof outcome === 'string' ? resultOf(id, outcome) : { id, ...outcome }
}

async function unlessAhead(submit: () => Promise<{ state: MessageState }>): Promise<MessageState> {
  const answer = await unlessMoved(submit)
  return typeof answer === 'string' ? answer : answer.state
}

/** Somebody else, perhaps a repeated call of ours, was faster: then the state they left is the answer. */
async function unlessMoved<T>(step: () => Promise<T>): Promise<T | MessageState> {
  try {
    return await step()
  } catch (error) {
    const state =
      error instanceof CarillonError && error.code === 'invalid_transition' && stateIn(error.details)
    if (!state) throw error
    return state
  }
}

function stateIn(details: unknown): MessageState | undefined {
  if (typeof details !== 'object' || details === null || !('state' in details)) return undefined
  return details.state as MessageState
}

function resultOf(id: string, state: MessageState): SendResult {
  return approved.includes(state) ? { id, approved: true } : { id, approved: false, reason: state }
}

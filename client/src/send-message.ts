import { CarillonError } from './error.ts'
import type { ApprovalOutcome, CreatedMessage, CreateMessage, MessageState, MovedMessage } from './types.ts'

/** The result of `send`. `reason` is that of the automatic check, or the state of a message that has already ended. */
export type SendResult = { id: string; approved: true } | { id: string; approved: false; reason: string }

/** The operations that `send` uses. */
type Steps = {
  create(body: CreateMessage, options: { idempotencyKey?: string }): Promise<CreatedMessage>
  submit(id: string): Promise<MovedMessage>
  approve(id: string): Promise<ApprovalOutcome>
}

/** The states after an approval. */
const approved: MessageState[] = ['approved', 'sending', 'sent', 'failed', 'paused', 'stopped']

/**
 * Takes a message as far as a producer can. Every step is safe to repeat: after a lost response, the same call with the
 * same key continues where the first one ended.
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

/** If another caller, perhaps a repeat of this call, has moved the message already, returns the state it left. */
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

import { broken } from '../../contract/rules.ts'
import type { Audience } from '../audience/audience.ts'
import { audienceRefusal, categoryRefusal } from '../audience/audience-rights.ts'
import { roleRefusal, type Verb } from '../rights/permission.ts'
import type { Principal } from '../rights/principal.ts'
import { type Refusal, type Verdict, verdictOf } from '../rights/refusal.ts'
import type { Position } from './message-state.ts'
import { stateAfter } from './moves.ts'
import { explainRefusal } from './refusal-reason.ts'

/** A verb on a message that exists. */
export type Action = Exclude<Verb, 'create'>
export type Allowed = Record<Action, Verdict>

/** What of a message decides who may do what with it. */
export type MessageFacts = {
  unitId: string
  position: Position
  categoryId: string
  categoryEnabled: boolean
  /** Of a draft; its dimensions decide, not their values. */
  audience: Audience | null
  /** Whether it has a topic, and that is inactive. */
  topicInactive: boolean
  /** Whether the caller's words stand in it: they created, edited or submitted it, its original or its template. */
  author: boolean
  /** Whether it costs more than unit and pool together have available. */
  wouldExceed: boolean
}

/**
 * What the caller may do with a message at `now` (ms since the epoch), by role, credential, state, references,
 * authorship and quota. The calls make the same checks with the same functions.
 */
export function allowedFor(principal: Principal, message: MessageFacts, now: number): Allowed {
  const verdict = (action: Action): Verdict => verdictOf(refusalOf(principal, action, message, now))
  return {
    edit: verdict('edit'),
    submit: verdict('submit'),
    approve: verdict('approve'),
    reject: verdict('reject'),
    withdraw: verdict('withdraw'),
    cancel: verdict('cancel'),
    pause: verdict('pause'),
    resume: verdict('resume'),
    stop: verdict('stop'),
    retry: verdict('retry'),
  }
}

function refusalOf(principal: Principal, action: Action, message: MessageFacts, now: number): Refusal | null {
  const move = moveRefusal(principal, action, message, now)
  if (move) return move
  if (action === 'edit' || action === 'submit')
    return (
      categoryRefusal(principal, message.categoryId) ??
      (message.audience && audienceRefusal(principal, message.audience)) ??
      referenceRefusal(action, message)
    )
  return action === 'approve' ? approvalRefusal(principal, message) : null
}

/** Why role or state do not allow an action at `now` (ms since the epoch); null if they do. */
export function moveRefusal(
  principal: Principal,
  action: Action,
  { unitId, position }: Pick<MessageFacts, 'unitId' | 'position'>,
  now: number,
): Refusal | null {
  const role = roleRefusal(principal, action, unitId)
  if (role || stateAfter(position, action, now) !== null) return role
  return { code: 'invalid_transition', message: explainRefusal(position, action, now) }
}

function referenceRefusal(
  action: 'edit' | 'submit',
  { topicInactive, categoryEnabled, categoryId }: MessageFacts,
): Refusal | null {
  const message = `The category ${categoryId} is disabled. Choose another one.`
  // An edit checks the draft as a new message, for which a disabled category does not exist.
  if (!categoryEnabled && action === 'edit') return { code: 'not_found', message }
  if (topicInactive) return inactiveTopic
  return categoryEnabled ? null : { code: 'validation_error', message }
}

/** Why nothing can be sent to an inactive topic. */
export const inactiveTopic: Refusal = {
  code: 'topic_inactive',
  message: 'The topic is inactive. Activate it, or use another one or none.',
  details: { issues: [{ path: 'topicId', ...broken('inactive', { of: 'topic' }) }] },
}

/** Why a person may not approve. A key's `approve` only runs the automatic check, whose outcome is no error. */
function approvalRefusal(principal: Principal, { author, wouldExceed }: MessageFacts): Refusal | null {
  if (principal.kind === 'producer') return null
  if (author) return ownMessage
  return wouldExceed ? { code: 'quota_exceeded', message: 'The quota does not cover this message.' } : null
}

/** Why an author may not approve. */
export const ownMessage: Refusal = {
  code: 'self_approval',
  message:
    'You wrote, edited or submitted this message, or what it is made of: its template, or the message it is a copy of. ' +
    'Ask another approver of the unit to approve it.',
}

import type { Position } from './message-state.ts'
import { stateAfter } from './moves.ts'
import { mayAsk, type Verb } from './permission.ts'
import type { Principal } from './principal.ts'
import { explainRefusal } from './refusal-reason.ts'

/** `true` if the action is possible now, otherwise the error that it would return. */
export type Verdict = true | { code: string; message: string }
export type Allowed = Record<Exclude<Verb, 'create'>, Verdict>

export type AllowedFor = {
  principal: Principal
  unitId: string
  position: Position
  /** Whether the caller created, edited or submitted the message. */
  author: boolean
  /** Whether the message costs more than unit and pool together have available. */
  wouldExceed: boolean
}

/** What the caller may do with a message at `now` (ms since the epoch), by role, state, authorship and quota. */
export function allowedFor(of: AllowedFor, now: number): Allowed {
  const verdict = (verb: Exclude<Verb, 'create'>) => verdictOn(verb, of, now)
  return {
    edit: verdict('edit'),
    submit: verdict('submit'),
    approve: verdict('approve'),
    reject: verdict('reject'),
    cancel: verdict('cancel'),
    pause: verdict('pause'),
    resume: verdict('resume'),
    stop: verdict('stop'),
    retry: verdict('retry'),
  }
}

function verdictOn(verb: Exclude<Verb, 'create'>, of: AllowedFor, now: number): Verdict {
  const { principal, unitId, position } = of
  if (!mayAsk(principal, verb, unitId))
    return { code: 'forbidden', message: `You may not ${verb} this message.` }
  if (stateAfter(position, verb, now) === null)
    return { code: 'invalid_transition', message: explainRefusal(position, verb, now) }
  if (verb !== 'approve') return true
  if (principal.kind === 'person' && of.author)
    return {
      code: 'self_approval',
      message: 'You are an author of this message. Another approver must approve it.',
    }
  return of.wouldExceed ? { code: 'quota_exceeded', message: 'The quota does not cover this message.' } : true
}

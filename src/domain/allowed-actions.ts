import type { Position } from './message-state.ts'
import { stateAfter } from './moves.ts'
import { mayAsk, type Verb } from './permission.ts'
import type { Principal } from './principal.ts'
import { explainRefusal } from './refusal-reason.ts'

/** Either it can be done now, or the error that would be answered. */
export type Verdict = true | { code: string; message: string }
export type Allowed = Record<Exclude<Verb, 'create'>, Verdict>

export type AllowedFor = {
  principal: Principal
  unitId: string
  position: Position
  /** did the caller create, edit or submit it? */
  author: boolean
  /** do unit and pool together fall short of what it costs? */
  wouldExceed: boolean
}

/** What the caller may do with a message at `now` (ms since the epoch): role, state, authorship and quota joined. */
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
    return { code: 'self_approval', message: 'You are an author: another approver must approve it.' }
  return of.wouldExceed
    ? { code: 'quota_exceeded', message: 'The quota of this month does not suffice.' }
    : true
}

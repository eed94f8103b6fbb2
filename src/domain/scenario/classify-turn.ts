import type { Channel, Problem, TurnWay } from '../../contract/enums.ts'
import { codeOf, type Outcome } from '../message/outcome.ts'
import {
  classifyCall,
  classifyRecipients,
  type Settlement,
  type TrySituation,
} from '../message/settlement.ts'

/** What one try of a turn means. */
type TurnVerdict =
  | { do: 'end'; state: 'sent' | 'failed' | 'unknown'; reason: string | null }
  /** Tried again after `afterMs`; `unclear`: as it was, because the provider may have taken it. */
  | { do: 'wait'; afterMs: number; problem: Problem | null; unclear: boolean; refused?: Channel }

/** `restMs`: how long the provider of the channel asked for rest. */
export type ClassifiedTurn = { verdict: TurnVerdict; restMs: number | null }

/**
 * Classifies a try of a turn. A push and a mail are classified as those of a message. A definite refusal goes on to the
 * next channel, if there is `another`. `random` in [0, 1) spreads the delays.
 */
export function classifyTurn(
  outcome: Outcome,
  {
    by,
    channel,
    another,
    situation,
  }: { by: TurnWay; channel: Channel; another: boolean; situation: TrySituation },
  random: number,
): ClassifiedTurn {
  if (by === 'reply') return classifyReply(outcome, situation)
  const settlement =
    by === 'push'
      ? classifyCall(outcome, situation, random)
      : classifyRecipients([outcome], situation, random)
  const { restMs } = settlement
  const settled = [settlement.outcomes].flat()[0] ?? null
  if (settled?.state === 'failed' && another)
    return { verdict: { do: 'wait', afterMs: 0, problem: null, unclear: false, refused: channel }, restMs }
  if (settled) return { verdict: { do: 'end', ...settled }, restMs }
  return { verdict: waiting(settlement, situation), restMs }
}

function waiting({ next, park }: Settlement, { unclear }: TrySituation): TurnVerdict {
  const deferred = next.do === 'wait' ? next : { afterMs: 0, unclear: false }
  const { afterMs } = deferred
  return { do: 'wait', afterMs, problem: park?.problem ?? 'provider', unclear: unclear || deferred.unclear }
}

/** Of a reply that was refused for certain. Its token is used up, so the next try is a push. */
const pushInstead: TurnVerdict = { do: 'wait', afterMs: 0, problem: null, unclear: false }

/**
 * The provider takes a token once, and no retry key: after a first try that it may have taken, only an acceptance of the
 * second is certain, and nothing else may be sent.
 */
function classifyReply(outcome: Outcome, { unclear }: TrySituation): ClassifiedTurn {
  if (outcome.kind === 'accepted')
    return { verdict: { do: 'end', state: 'sent', reason: null }, restMs: null }
  const code = codeOf(outcome)
  if (unclear) return { verdict: { do: 'end', state: 'unknown', reason: code }, restMs: null }
  if (outcome.kind === 'unavailable' && !outcome.certain)
    return { verdict: { do: 'wait', afterMs: 0, problem: null, unclear: true }, restMs: null }
  const restMs = 'retryAfterMs' in outcome ? (outcome.retryAfterMs ?? null) : null
  return { verdict: pushInstead, restMs }
}

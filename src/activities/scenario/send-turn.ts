import { randomUUID } from 'node:crypto'
import type { CallContent } from '../../channels/channel.ts'
import type { ChatMessage } from '../../channels/chat/wire.ts'
import { type Sender, type Senders, sendToOne } from '../../channels/connection.ts'
import type { Channel } from '../../contract/enums.ts'
import type { Trx } from '../../db/connect.ts'
import { restChannel } from '../../db/queries/delivery/provider.ts'
import { refundTurn } from '../../db/queries/quota/turn-payment.ts'
import {
  clearPayment,
  deferFailedReply,
  deferTurn,
  endTurn,
  findPendingReply,
  findPendingTurn,
  type PaidTurn,
  type PendingTurn,
  type TurnClaimant,
} from '../../db/queries/scenario-run/turn.ts'
import { isAborted, isAnswer, isProviderFailure, type Outcome } from '../../domain/message/outcome.ts'
import type { TrySituation } from '../../domain/message/settlement.ts'
import { type ClassifiedTurn, classifyTurn } from '../../domain/scenario/classify-turn.ts'
import { countTurn } from '../../metrics/sending.ts'
import type { Services } from '../../services/context.ts'
import { clearTurn } from '../../services/scenario-runs/clear-turn.ts'
import { type ActivityAttempt, type DeliveryContext, withHeartbeat } from '../delivery/context.ts'
import { type ClaimedTurn, claim, type TurnAttempt } from './claim-turn.ts'

/**
 * Says what a run has to say, by one try: stores the try, makes it, and writes what it means. Does nothing if there is
 * nothing to say now. Safe to repeat: a try that may have been taken is repeated as it was, or stays unknown. Returns how
 * many calls of the provider it made.
 */
export async function sendTurn(
  delivery: DeliveryContext,
  step: ActivityAttempt,
  runId: string,
): Promise<number> {
  const turn = await findPendingTurn(delivery.services.db, runId)
  if (!turn || turn.onPage) return 0
  // One name for local activities and others: a try of the run continues what an earlier one has claimed.
  const claimant: TurnClaimant = { activity: `${step.runId}/sayTurn` }
  return withHeartbeat(step, {}, () => tryTurn(delivery, turn, claimant))
}

/** Says a turn by one try, if it may be tried now: claims it, makes the try, and writes what it means. */
async function tryTurn(
  delivery: DeliveryContext,
  turn: PendingTurn,
  claimant: TurnClaimant,
): Promise<number> {
  const attempt: TurnAttempt = { services: delivery.services, turn, claimant }
  const claimed = await claim(attempt)
  if (!claimed) return 0
  const outcome = await outcomeOf(delivery, turn, claimed)
  const situation = recordTry(delivery, turn, claimed, outcome)
  const classified = classifyTurn(outcome, { ...claimed, situation }, Math.random())
  const ended = await settle(attempt, claimed.channel, classified, outcome)
  if (ended && classified.verdict.do === 'end') countTurn(turn, claimed.by, classified.verdict.state)
  return isAborted(outcome) || outcome === notHere ? 0 : 1
}

/** Makes the try. A reply does not wait for a channel that pauses: its token is used up, and lasts a minute. */
async function outcomeOf(
  { services, senders, breaker }: DeliveryContext,
  turn: PendingTurn,
  { channel, by, address, compiled, retryKey, token }: ClaimedTurn,
): Promise<Outcome> {
  if (by !== 'reply' && breaker.waitMs(channel) > 0)
    return { kind: 'unavailable', code: 'aborted', certain: true }
  if (by === 'reply') return replyTo(services, turn, { address, compiled, token })
  return push(senders, turn, channel, { address, compiled, retryKey })
}

/** Answers by the token of an event. */
async function replyTo(
  { replyChat }: Pick<Services, 'replyChat'>,
  turn: PendingTurn,
  { address, compiled, token }: Pick<ClaimedTurn, 'address' | 'compiled' | 'token'>,
): Promise<Outcome> {
  const content = clearTurn(turn, compiled as ChatMessage[], address)
  return replyChat ? replyChat({ replyToken: token!, content }) : notHere
}

async function push<C extends Channel>(
  senders: Senders,
  turn: PendingTurn,
  channel: C,
  { address, compiled, retryKey }: Pick<ClaimedTurn, 'address' | 'compiled' | 'retryKey'>,
): Promise<Outcome> {
  const content = clearTurn(turn, compiled as CallContent[C], address)
  const sender: Sender<C> | undefined = senders[channel]
  if (!sender) return notHere
  const to = { address, subjectId: turn.subjectId }
  return sendToOne(sender, { to, content, retryKey, messageId: turn.id, waveId: turn.id })
}

/** A worker without a sender for the channel leaves the turn to others. */
const notHere: Outcome = { kind: 'unavailable', code: 'no_sender', certain: true }

/** Records in the circuit breaker what a try shows about its channel, and returns the situation in which to classify it. */
function recordTry(
  { breaker }: DeliveryContext,
  turn: PendingTurn,
  { channel, address, tries, failingMs, unclear }: ClaimedTurn,
  outcome: Outcome,
): TrySituation {
  const failed = isProviderFailure(outcome) && !isAborted(outcome)
  const failure = breaker.record(channel, {
    answered: isAnswer(outcome),
    failedFor: failed ? [turn.id] : [],
    general: failed && outcome.general === true,
  })
  const othersSucceed = breaker.succeededWithin(channel, failingMs)
  return { to: [address], tries, failingMs, unclear, othersSucceed, probing: false, ...failure }
}

/**
 * Writes what a try means; gives back what was paid if nothing was taken for certain. Returns whether it was this one's to
 * write.
 */
async function settle(
  { services, turn, claimant }: TurnAttempt,
  channel: Channel,
  { verdict, restMs }: ClassifiedTurn,
  { requestId }: Outcome,
): Promise<boolean> {
  if (verdict.do === 'end' && verdict.state !== 'failed' && restMs === null)
    return (await endTurn(services.db, turn, claimant, { ...verdict, requestId })) !== undefined
  return services.db.transaction().execute(async (trx) => {
    if (restMs !== null) await restChannel(trx, channel, restMs)
    if (verdict.do === 'end') {
      const paid = await endTurn(trx, turn, claimant, { ...verdict, requestId })
      if (verdict.state === 'failed') await giveBack(trx, turn, paid)
      return paid !== undefined
    }
    const paid = await deferTurn(trx, turn, claimant, verdict)
    if (!verdict.unclear) await giveBack(trx, turn, paid)
    return paid !== undefined
  })
}

async function giveBack(trx: Trx, { id }: PendingTurn, paid: PaidTurn | undefined): Promise<void> {
  if (!paid?.channel || !paid.month || paid.unit + paid.pool === 0) return
  await clearPayment(trx, id)
  const { unitId, channel, month, unit, pool } = paid
  await refundTurn(trx, { unitId, channel, month }, { unit, pool })
}

/**
 * Says the next reply in a handoff, by one try, as `sayTurn` does for a run. Returns false if none is due. A worker
 * that dies in it leaves a lease; the next one repeats the try as it was, or leaves the outcome unknown.
 */
export async function sendNextReply(
  delivery: DeliveryContext,
  failed: (turn: PendingTurn, error: unknown) => Promise<void> = rethrow,
): Promise<boolean> {
  const turn = await findPendingReply(delivery.services.db)
  if (!turn) return false
  await tryTurn(delivery, turn, { activity: `reply/${randomUUID()}` }).catch((error) => failed(turn, error))
  return true
}

async function rethrow(_: PendingTurn, error: unknown): Promise<never> {
  throw error
}

/**
 * The same, so that a reply that cannot be tried keeps none of the others waiting: it is put off, and ends after a
 * while.
 */
export function sendNextReplyByItself(delivery: DeliveryContext): Promise<boolean> {
  const { db, log } = delivery.services
  return sendNextReply(delivery, async ({ id }, err) => {
    const failures = await deferFailedReply(db, id)
    log?.warn({ turnId: id, failures, err }, 'A reply could not be tried and was put off')
  })
}

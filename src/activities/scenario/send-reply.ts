import { randomUUID } from 'node:crypto'
import { deferFailedReply, findPendingReply, type PendingTurn } from '../../db/queries/scenario-run/turn.ts'
import type { DeliveryContext } from '../delivery/context.ts'
import { tryTurn } from './send-turn.ts'

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

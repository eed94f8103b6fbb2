import { randomUUID } from 'node:crypto'
import { findPendingReply } from '../../db/queries/scenario/turn.ts'
import type { DeliveryContext } from '../delivery/context.ts'
import { tryTurn } from './say-turn.ts'

/**
 * Says the next reply in a handoff, by one try, as `sayTurn` does for a run. Returns false if none is due. A worker
 * that dies in it leaves a lease; the next one repeats the try as it was, or leaves the outcome unknown.
 */
export async function sayNextReply(delivery: DeliveryContext): Promise<boolean> {
  const turn = await findPendingReply(delivery.services.db)
  if (!turn) return false
  await tryTurn(delivery, turn, { activity: `reply/${randomUUID()}` })
  return true
}

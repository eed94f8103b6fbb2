import type { MessageState } from '../../contract/enums.ts'
import type { MovedMessage, RejectMessage, RetryMessage } from '../../contract/messages/moves.ts'
import type { Trx } from '../../db/connect.ts'
import { probeNow, skipRemaining } from '../../db/queries/delivery/parking.ts'
import { releaseAll } from '../../db/queries/quota/quota.ts'
import type { Verb } from '../../domain/permission.ts'
import { actorOf, type Principal } from '../../domain/principal.ts'
import type { WakeReason } from '../../domain/signals.ts'
import type { Services } from '../context.ts'
import { unitsOf } from '../unit-access.ts'
import {
  activeWave,
  applyMove,
  assertVersion,
  checkMove,
  type LockedMessage,
  lockMessage,
  wavesOf,
} from './move.ts'
import { assertMayAsk } from './rights.ts'

/** What the message's run hears after each verb, by the names an operator reads in its history. */
const wakeReasons = {
  edit: 'changed',
  submit: 'submitted',
  approve: 'approval',
  reject: 'rejection',
  cancel: 'cancellation',
  pause: 'changed',
  resume: 'changed',
  stop: 'changed',
  retry: 'changed',
} as const satisfies Partial<Record<Verb, WakeReason>>

/**
 * What every verb on a message has in common: one transaction, the message and its waves locked, the caller's right
 * checked. The run is woken after the commit if the verb changed what it has to see.
 * @throws ServiceError not_found, forbidden, and what `act` throws
 */
export async function transition<Result>(
  services: Services,
  principal: Principal,
  id: string,
  verb: keyof typeof wakeReasons,
  act: (trx: Trx, locked: LockedMessage, actor: string) => Promise<Result>,
): Promise<Result> {
  const { result, unseen } = await services.db.transaction().execute(async (trx) => {
    const locked = await lockMessage(trx, id, unitsOf(principal))
    assertMayAsk(principal, verb, locked.message.unit_id)
    const before = locked.message.version
    const result = await act(trx, locked, actorOf(principal))
    const { version, acked_version: seen } = locked.message
    return { result, unseen: version > before && version > seen }
  })
  if (unseen) services.poke('message', id, wakeReasons[verb])
  return result
}

/** Answers the state that a message came to; throws not_found, forbidden, invalid_transition. */
type Move = (services: Services, principal: Principal, id: string) => Promise<MovedMessage>

/** Holds a message, a send or a reminder: no batch begins after this has answered. The quota stays reserved. */
export const pauseMessage = moveTo('pause')

/** Continues what was paused, from where it was. */
export const resumeMessage = moveTo('resume')

/**
 * Ends a send, or a reminder, that has reached somebody already: no batch begins after this has answered, the one in
 * flight finishes. The run skips the rest, releases its quota and closes the message.
 */
export const stopMessage = moveTo('stop')

/** A verb that does nothing but move the message. */
function moveTo(verb: 'pause' | 'resume' | 'stop'): Move {
  return (services, principal, id) =>
    transition(services, principal, id, verb, async (trx, locked, actor) => ({
      state: await applyMove(trx, locked, verb, { actor }),
    }))
}

/**
 * Cancels a message before any batch is claimed, and releases its quota in the same transaction: once this has
 * answered, nothing is sent. For a message that is sent, it cancels the reminder.
 */
export const cancelMessage: Move = (services, principal, id) =>
  transition(services, principal, id, 'cancel', async (trx, locked, actor) => ({
    state: await cancel(trx, locked, actor),
  }))

/** The cancellation itself, under the caller's lock; also for the Temporal UI's cancel. */
export async function cancel(trx: Trx, locked: LockedMessage, actor: string): Promise<MessageState> {
  const closing = hasRows(locked) ? {} : { closed_at: new Date(locked.now) }
  const state = await applyMove(trx, locked, 'cancel', { actor }, closing)
  await releaseAll(trx, ...wavesOf(locked).map(({ id }) => id))
  return state
}

/** Rows may have been written since the send began; the run then skips them before the message closes. */
function hasRows(locked: LockedMessage): boolean {
  const up = activeWave(locked)
  return up?.state === 'sending' || up?.state === 'paused'
}

/**
 * Lets a parked wave try again now, instead of at its next probe; with `skip`, gives up the rest of it.
 * @throws ServiceError not_found, forbidden, invalid_transition where nothing is parked
 */
export function retryMessage(
  services: Services,
  principal: Principal,
  id: string,
  { skip = false }: RetryMessage = {},
): Promise<MovedMessage> {
  return transition(services, principal, id, 'retry', async (trx, locked, actor) => ({
    state: await retryOrSkip(trx, locked, skip ? 'skip' : 'retry', actor),
  }))
}

/**
 * What becomes of a parked wave, under the caller's lock; also for the Temporal UI's update. `retry`: its probe is due
 * now. `skip`: no batch of it begins any more, and the run skips the rest as `parked`.
 */
export async function retryOrSkip(
  trx: Trx,
  locked: LockedMessage,
  move: 'retry' | 'skip',
  actor: string,
): Promise<MessageState> {
  const state = await applyMove(trx, locked, move, { actor })
  const { id } = activeWave(locked)!
  await (move === 'skip' ? skipRemaining(trx, id) : probeNow(trx, id))
  return state
}

/**
 * Rejects a submitted message, for good. It holds no quota yet, so it is closed at once.
 * @throws ServiceError not_found, forbidden, invalid_transition
 */
export function rejectMessage(
  services: Services,
  principal: Principal,
  id: string,
  { reason, version }: RejectMessage,
): Promise<MovedMessage> {
  return transition(services, principal, id, 'reject', async (trx, locked, actor) => {
    await checkMove(trx, locked, 'reject')
    await assertVersion(trx, locked, version)
    const closing = { closed_at: new Date(locked.now) }
    return { state: await applyMove(trx, locked, 'reject', { actor, reason }, closing) }
  })
}

import type { MessageState } from '../../contract/enums.ts'
import type {
  MovedMessage,
  RejectMessage,
  RetryMessage,
  WithdrawMessage,
} from '../../contract/messages/moves.ts'
import type { Trx } from '../../db/connect.ts'
import { believeServers, probeServersNow } from '../../db/queries/delivery/mail-server.ts'
import { probeNow, skipRemaining } from '../../db/queries/delivery/parking.ts'
import { thawContent } from '../../db/queries/message/content.ts'
import { insertAuthorNotices } from '../../db/queries/notice/author-notice.ts'
import { releaseAll } from '../../db/queries/quota/quota.ts'
import { type Action, moveRefusal } from '../../domain/message/allowed-actions.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { refuse } from '../refuse.ts'
import { unitsOf } from '../unit-access.ts'
import {
  activeWave,
  applyMove,
  assertVersion,
  type LockedMessage,
  lockMessage,
  positionOf,
  transitionError,
  wavesOf,
} from './move.ts'

/**
 * Runs a verb on a message: in one transaction, with the message and its waves locked, and role and state checked as
 * `allowed` shows them. Tells the run after the commit of the moves that it made.
 * @throws ServiceError not_found, forbidden, invalid_transition, and what `act` throws
 */
export async function transition<Result>(
  services: Services,
  principal: Principal,
  id: string,
  verb: Action,
  act: (trx: Trx, locked: LockedMessage, actor: string) => Promise<Result>,
): Promise<Result> {
  const { result, told } = await services.db.transaction().execute(async (trx) => {
    const locked = await lockMessage(trx, id, unitsOf(principal))
    await assertMayMove(trx, locked, principal, verb)
    return { result: await act(trx, locked, actorOf(principal)), told: locked.told }
  })
  if (told.length > 0) services.wake('message', id, told)
  return result
}

async function assertMayMove(trx: Trx, locked: LockedMessage, principal: Principal, verb: Action) {
  const facts = { unitId: locked.message.unit_id, position: positionOf(locked) }
  const refusal = moveRefusal(principal, verb, facts, locked.now)
  if (refusal?.code === 'invalid_transition') throw await transitionError(trx, locked, refusal.message)
  refuse(refusal)
}

/** Returns the new state of the message; throws not_found, forbidden, invalid_transition. */
type Move = (services: Services, principal: Principal, id: string) => Promise<MovedMessage>

/** Pauses a message, a send or a reminder: no batch starts after this has returned. The quota stays reserved. */
export const pauseMessage = moveTo('pause')

/** Resumes a paused message in the state before the pause. */
export const resumeMessage = moveTo('resume')

/**
 * Stops a send or reminder that has started: no batch starts after this has returned, batches in flight finish. The run
 * skips the remaining deliveries, releases their quota and closes the message.
 */
export const stopMessage = moveTo('stop')

/** Makes a verb that only moves the message. */
function moveTo(verb: 'pause' | 'resume' | 'stop'): Move {
  return (services, principal, id) =>
    transition(services, principal, id, verb, async (trx, locked, actor) => ({
      state: await applyMove(trx, locked, verb, { actor }),
    }))
}

/**
 * Cancels a message before any batch is claimed, and releases its quota in the same transaction: once this has
 * returned, nothing is sent. If the message is sent already, it cancels the reminder.
 */
export const cancelMessage: Move = (services, principal, id) =>
  transition(services, principal, id, 'cancel', async (trx, locked, actor) => ({
    state: await cancel(trx, locked, actor),
  }))

/** Cancels under the caller's lock; also for a cancellation in the Temporal UI. */
export async function cancel(trx: Trx, locked: LockedMessage, actor: string): Promise<MessageState> {
  const closing = hasRows(locked) ? {} : { closed_at: new Date(locked.now) }
  const state = await applyMove(trx, locked, 'cancel', { actor }, closing)
  await releaseAll(trx, ...wavesOf(locked).map(({ id }) => id))
  return state
}

/** Whether the active wave may have deliveries, which the run must skip before the message closes. */
function hasRows(locked: LockedMessage): boolean {
  const up = activeWave(locked)
  return up?.state === 'sending' || up?.state === 'paused'
}

/**
 * Retries a parked wave now, instead of at its next probe; with `skip`, skips its remaining deliveries.
 * @throws ServiceError not_found, forbidden, invalid_transition if no wave is parked
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
 * Retries or skips a parked wave under the caller's lock; also for the signals of the Temporal UI. `retry`: its probe
 * is due now. `skip`: no further batch starts, and the run skips the remaining deliveries as `parked`.
 */
export async function retryOrSkip(
  trx: Trx,
  locked: LockedMessage,
  move: 'retry' | 'skip',
  actor: string,
): Promise<MessageState> {
  const state = await applyMove(trx, locked, move, { actor })
  const { id, parked } = activeWave(locked)!
  if (move === 'skip') await skipRemaining(trx, id)
  else await probeNow(trx, id)
  if (move === 'retry' && parked === 'unknown_recipients') await probeServersNow(trx)
  return state
}

/**
 * Sends on a wave that waits because its mail server rejects too many recipients: a person says that the server is right.
 * Those whom it refuses from now on are failed and suppressed, one by one.
 * @throws ServiceError invalid_transition if the wave does not wait for that
 */
export async function believeRefusals(trx: Trx, locked: LockedMessage, actor: string): Promise<MessageState> {
  const up = activeWave(locked)
  if (up?.parked !== 'unknown_recipients')
    throw await transitionError(
      trx,
      locked,
      'This message does not wait for a mail server that rejects too many recipients. See: carillon parked',
    )
  const state = await applyMove(trx, locked, 'retry', { actor, details: { believe: true } })
  await believeServers(trx, up.id)
  await probeNow(trx, up.id)
  return state
}

/**
 * Takes back a submitted message, which is a draft again, as it was written: what submitting has added to it goes, and its
 * approval with it.
 * @throws ServiceError not_found, forbidden, invalid_transition
 */
export function withdrawMessage(
  services: Services,
  principal: Principal,
  id: string,
  { version }: WithdrawMessage = {},
): Promise<MovedMessage> {
  return transition(services, principal, id, 'withdraw', async (trx, locked, actor) => {
    await assertVersion(trx, locked, version)
    const by = { actor, extraCte: thawContent(id) }
    const state = await applyMove(trx, locked, 'withdraw', by, unsubmitted)
    // One that has drifted has waves, whose reservations went with the drift.
    await releaseAll(trx, ...wavesOf(locked).map((wave) => wave.id))
    return { state }
  })
}

/** The columns that submitting fills, as they are before. */
const unsubmitted = {
  template_version: null,
  snapshot: null,
  snapshot_at: null,
  submitted_at: null,
  submitted_by: null,
  review_reason: null,
  review_drift: false,
  drift: null,
  hold_until: null,
}

/**
 * Rejects a submitted message, which closes it: it holds no quota yet.
 * @throws ServiceError not_found, forbidden, invalid_transition
 */
export function rejectMessage(
  services: Services,
  principal: Principal,
  id: string,
  { reason, version }: RejectMessage,
): Promise<MovedMessage> {
  return transition(services, principal, id, 'reject', async (trx, locked, actor) => {
    await assertVersion(trx, locked, version)
    const closing = { closed_at: new Date(locked.now) }
    const state = await applyMove(trx, locked, 'reject', { actor, reason }, closing)
    await insertAuthorNotices(trx, id, 'rejected')
    return { state }
  })
}

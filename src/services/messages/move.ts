import { type Insertable, sql, type Updateable } from 'kysely'
import {
  type CallbackType,
  isOneOf,
  type MessageState,
  type Move,
  type PausedFrom,
  pausable,
} from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import { asyncCommit } from '../../db/async-commit.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { insertMoveAudit, type MessageChange } from '../../db/queries/callback/delivery.ts'
import { setWaveState } from '../../db/queries/delivery/wave.ts'
import { type LockedMessage, lockMessageRows } from '../../db/queries/message/message.ts'
import type { AuditTable, MessageRow, MessageTable, WaveRow } from '../../db/tables.ts'
import type { Position, WaveResult } from '../../domain/message-state.ts'
import { stateAfter as ask } from '../../domain/moves.ts'
import { explainRefusal } from '../../domain/refusal-reason.ts'
import { isOpenWave, reminderStateAfter, waveStateAfter } from '../../domain/waves.ts'
import { joinTrace } from '../../tracing.ts'
import { orNotFound } from '../unit-access.ts'

export type { LockedMessage } from '../../db/queries/message/message.ts'

/** Who makes a move, and what the audit row records about it. */
export type MoveBy = {
  actor: string
  reason?: string
  details?: unknown
  /** The run itself makes the move: it has observed the row and need not be woken. */
  byRun?: boolean
  /** For `finish`: the result of the active wave. */
  result?: WaveResult
}

/**
 * Locks a message and its waves for a move.
 * @throws ServiceError not_found, also for another unit's message
 */
export async function lockMessage(trx: Trx, id: string, unitIds?: readonly string[]): Promise<LockedMessage> {
  return orNotFound(await lockMessageRows(trx, id, unitIds), 'message')
}

/** All waves of a message, in lock order. */
export function wavesOf({ wave, reminder }: LockedMessage): WaveRow[] {
  return [wave, reminder].filter((one) => one !== null)
}

/** The wave a move is about: the first one until the message is sent, then the reminder. */
export function activeWave({ message, wave, reminder }: LockedMessage): WaveRow | null {
  return message.state === 'sent' ? reminder : wave
}

/** The input of the table of moves for a locked message. */
export function positionOf(locked: LockedMessage): Position {
  const { message, reminder } = locked
  const up = activeWave(locked)
  return {
    state: message.state,
    pausedFrom: message.paused_from,
    expiresAt: message.expires_at?.getTime() ?? null,
    reminder: reminder?.state ?? null,
    claimed: up?.claimed ?? false,
    parked: up?.parked != null || message.step_parked_at !== null,
  }
}

/** The state a move leads to; throws invalid_transition if the table of moves does not allow it. */
async function checkMove(
  trx: Trx,
  locked: LockedMessage,
  move: Move,
  result?: WaveResult,
): Promise<MessageState> {
  const position = positionOf(locked)
  const to = ask(position, move, locked.now, result)
  if (to === null) throw await transitionError(trx, locked, explainRefusal(position, move, locked.now))
  return to
}

/**
 * The only function that changes the state of a message and its waves. Checks the table of moves, then writes states,
 * version + 1 and the audit row in the caller's transaction, under the locks of `lockMessage`. `set` joins the same
 * update; `locked` is updated too. Returns the message's new state.
 * @throws ServiceError invalid_transition, with details {state, by, at} of the last change
 */
export async function applyMove(
  trx: Trx,
  locked: LockedMessage,
  move: Move,
  by: MoveBy,
  set: Updateable<MessageTable> = {},
): Promise<MessageState> {
  const { message } = locked
  const up = activeWave(locked)
  const to = await checkMove(trx, locked, move, by.result)
  await moveWaves(trx, locked, move, to, by.result)

  const version = message.version + 1
  const seen = by.byRun && message.observed_version === message.version
  locked.message = await trx
    .updateTable('message')
    .set({
      state: to,
      paused_from: pausedFrom(move, message.state),
      version,
      changed_at: sql<Date>`clock_timestamp()`,
      ...(seen ? { observed_version: version } : {}),
      ...(up && !isOpenWave(up.state) ? { problem: null } : {}),
      // The run tries its step again: what made it fail may be over.
      ...(message.step_parked_at
        ? { step_parked_at: null, step_failures: 0, problem: up?.parked ?? null }
        : {}),
      traceparent: joinTrace(message.traceparent),
      ...set,
    })
    .where('id', '=', message.id)
    .$if(by.byRun === true, (query) => query.where(asyncCommit))
    .returningAll()
    .executeTakeFirstOrThrow()
  await insertMoveAudit(trx, auditRow(locked, move, by, message.state), messageChangeOf(locked, message))
  return to
}

/** The active wave follows its message; the reminder of a message that will not be sent is cancelled. */
async function moveWaves(
  trx: Trx,
  locked: LockedMessage,
  move: Move,
  to: MessageState,
  result: WaveResult | undefined,
): Promise<void> {
  const { wave, reminder } = locked
  const up = activeWave(locked)
  if (up && isOpenWave(up.state)) await setWaveState(trx, up, waveStateAfter(up.state, move, result))
  if (reminder && up === wave) await setWaveState(trx, reminder, reminderStateAfter(reminder.state, to))
}

function pausedFrom(move: Move, from: MessageState): PausedFrom | null {
  return move === 'pause' && isOneOf(pausable, from) ? from : null
}

function auditRow(
  { message }: LockedMessage,
  move: Move,
  by: MoveBy,
  from: MessageState,
): Insertable<AuditTable> {
  return {
    unit_id: message.unit_id,
    actor: by.actor,
    action: move,
    object_kind: 'message',
    object_id: message.id,
    from_state: from,
    to_state: message.state,
    version: message.version,
    reason: by.reason ?? null,
    details: by.details === undefined ? null : JSON.stringify(by.details),
  }
}

/** The callback types of a move; none if neither the state nor `closed_at` changed. */
function messageChangeOf({ message }: LockedMessage, before: MessageRow): MessageChange {
  const types: CallbackType[] = []
  if (message.state !== before.state) types.push('message.state_changed')
  if (message.closed_at !== null && before.closed_at === null) types.push('message.closed')
  const { id, unit_id, state, version } = message
  return { types, messageId: id, unitId: unit_id, state, from: before.state, version }
}

/** The error of a rejected move: the reason, the current state, and who made the last change and when. */
export async function transitionError(
  db: Db,
  { message }: Pick<LockedMessage, 'message'>,
  why: string,
): Promise<ServiceError> {
  const last = await db
    .selectFrom('audit')
    .select(['actor', 'at'])
    .where('object_kind', '=', 'message')
    .where('object_id', '=', message.id)
    .where('to_state', '=', message.state)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return new ServiceError('invalid_transition', why, {
    state: message.state,
    by: last?.actor ?? message.created_by,
    at: (last?.at ?? message.created_at).toISOString(),
  })
}

/**
 * Rejects a decision about an outdated version.
 * @throws ServiceError invalid_transition, with details of the last change
 */
export async function assertVersion(
  trx: Trx,
  locked: LockedMessage,
  shown: number | undefined,
): Promise<void> {
  if (shown === undefined || shown === locked.message.version) return
  const { version } = locked.message
  const why =
    shown > version
      ? `There is no version ${shown} of this message: it is at version ${version}. Get it again, then retry.`
      : `The message has changed since version ${shown}; it is at version ${version}. Get it again, then retry.`
  throw await transitionError(trx, locked, why)
}

import type { Insertable, Updateable } from 'kysely'
import {
  type CallbackType,
  isOneOf,
  type MessageState,
  type Move,
  type PausedFrom,
  pausable,
} from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { type AuditEntry, auditRowOf } from '../../db/queries/audit/audit.ts'
import type { MessageChange } from '../../db/queries/callback/delivery.ts'
import { type ChangedWave, type NewWave, type WaveColumns, waveIn } from '../../db/queries/delivery/wave.ts'
import { type LockedMessage, lockMessageRows } from '../../db/queries/message/message.ts'
import { type ExtraCte, type MovedColumns, writeMove } from '../../db/queries/message/write-move.ts'
import { type NextWakeup, observedWith } from '../../db/queries/run/observed-version.ts'
import { storedState } from '../../db/queries/shown-state.ts'
import type { AuditTable, MessageRow, MessageTable, WaveRow } from '../../db/tables.ts'
import type { Position, WaveResult } from '../../domain/message/message-state.ts'
import { stateAfter as ask } from '../../domain/message/moves.ts'
import { explainRefusal } from '../../domain/message/refusal-reason.ts'
import { reminderAt, stateAt } from '../../domain/message/shown-state.ts'
import { signalOfMove } from '../../domain/message/signals-of-moves.ts'
import { isOpenWave, reminderStateAfter, waveStateAfter } from '../../domain/message/waves.ts'
import { joinTrace } from '../../tracing/spans.ts'
import { orNotFound } from '../unit-access.ts'

export type { LockedMessage } from '../../db/queries/message/message.ts'

/** Who makes a move, and what the audit row records about it. */
type MoveBy = {
  actor: string
  reason?: string
  details?: unknown
  /** The run itself makes the move: it has observed the row and need not be woken. */
  byRun?: boolean
  /** When the run must act next, if it saw the row for the first time under this lock. */
  observes?: NextWakeup
  /** For `finish`: the result of the active wave. */
  result?: WaveResult
  /** For `finish`: the message ends if none of its waves is open then. */
  closesIfOver?: boolean
  /** What happens to the message together with the move, for the audit log: its rows come first. */
  extraAudits?: AuditEntry[]
  /** What the move writes to other tables, in the same statement. */
  extraCte?: ExtraCte | null
  /** What it writes of the active wave besides its state; `locked` does not show it. */
  wave?: WaveColumns
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
    ...storedState(message),
    pausedFrom: message.paused_from,
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
  await moveWith(trx, locked, move, by, set, [])
  return locked.message.state
}

/**
 * The same for an approval: opens these waves with it. Returns their ids by number.
 * @throws ServiceError as `applyMove` does
 */
export function applyApproval(
  trx: Trx,
  locked: LockedMessage,
  by: MoveBy,
  set: Updateable<MessageTable>,
  waves: readonly NewWave[],
): Promise<Record<number, string>> {
  return moveWith(trx, locked, 'approve', by, set, waves)
}

async function moveWith(
  trx: Trx,
  locked: LockedMessage,
  move: Move,
  by: MoveBy,
  set: Updateable<MessageTable>,
  waves: readonly NewWave[],
): Promise<Record<number, string>> {
  const { message } = locked
  const to = await checkMove(trx, locked, move, by.result)
  const changed = wavesAfter(locked, move, to, by.result)
  const after = (wave: WaveRow) => waveIn(wave, changed.find((one) => one.wave === wave)?.state ?? wave.state)
  const active = activeWave(locked)
  const up = active && after(active)
  const closes = by.closesIfOver === true && wavesOf(locked).every((wave) => !isOpenWave(after(wave).state))

  const version = message.version + 1
  const isObserved = by.byRun && message.observed_version === message.version
  const columns: MovedColumns = {
    state: to,
    paused_from: pausedFrom(move, message.state),
    version,
    ...(isObserved ? { observed_version: version } : {}),
    ...(by.observes ? observedWith(version, by.observes) : {}),
    ...(up && !isOpenWave(up.state) ? { problem: null } : {}),
    // The run tries its step again: what made it fail may be over.
    ...(message.step_parked_at
      ? { step_parked_at: null, step_failures: 0, problem: up?.parked ?? null }
      : {}),
    traceparent: joinTrace(message.traceparent),
    ...set,
  }
  const result = await writeMove(trx, {
    id: message.id,
    set: columns,
    audits: [...(by.extraAudits ?? []).map(auditRowOf), auditRow(message, move, by, { to, version })],
    change: messageChangeOf(message, { state: to, version, closes: closes || set.closed_at != null }),
    byRun: by.byRun === true,
    extraCte: by.extraCte ?? null,
    closes,
    opened: waves,
    changed: changed.map((one) => (one.wave === active && by.wave ? { ...one, set: by.wave } : one)),
  })
  locked.message = result.message
  const name = by.byRun ? null : signalOfMove[move]
  if (name !== null) locked.told.push({ name, by: by.actor, version })
  for (const { wave } of changed) Object.assign(wave, after(wave))
  return result.opened
}

/** The active wave follows its message; the reminder of a message that will not be sent is cancelled. */
function wavesAfter(
  locked: LockedMessage,
  move: Move,
  to: MessageState,
  result: WaveResult | undefined,
): ChangedWave[] {
  const { wave, reminder } = locked
  const up = activeWave(locked)
  const follows =
    up && isOpenWave(up.state) ? [{ wave: up, state: waveStateAfter(up.state, move, result) }] : []
  const reminds =
    reminder && up === wave ? [{ wave: reminder, state: reminderStateAfter(reminder.state, to) }] : []
  return [...follows, ...reminds].filter(({ wave: { state: before }, state }) => state !== before)
}

function pausedFrom(move: Move, from: MessageState): PausedFrom | null {
  return move === 'pause' && isOneOf(pausable, from) ? from : null
}

function auditRow(
  { id, unit_id, state }: MessageRow,
  move: Move,
  { actor, reason, details }: MoveBy,
  { to, version }: { to: MessageState; version: number },
): Insertable<AuditTable> {
  return {
    unit_id,
    actor,
    action: move,
    object_kind: 'message',
    object_id: id,
    from_state: state,
    to_state: to,
    version,
    reason: reason ?? null,
    details: details === undefined ? null : JSON.stringify(details),
  }
}

/** The callback types of a move; none if it neither changes the state nor closes the message. */
function messageChangeOf(
  { id, unit_id, state: from, closed_at }: MessageRow,
  { state, version, closes }: { state: MessageState; version: number; closes: boolean },
): MessageChange {
  const types: CallbackType[] = []
  if (state !== from) types.push('message.state_changed')
  if (closes && closed_at === null) types.push('message.closed')
  return { types, messageId: id, unitId: unit_id, state, from, version }
}

/** What was read of a message whose move is rejected. */
type Rejected = Pick<LockedMessage, 'message' | 'now'> & { reminder?: WaveRow | null }

/**
 * The error of a rejected move: the reason, the state as it is read, and who made the last change and when. Past its
 * expiry that is the run, though it may not have written it yet.
 */
export async function transitionError(
  db: Db,
  { message, reminder, now }: Rejected,
  why: string,
): Promise<ServiceError> {
  const { state, expires_at } = message
  const stored = { ...storedState(message), reminder: reminder?.state ?? null }
  const stateNow = stateAt(stored, now)
  const overdue = stateNow !== state || reminderAt(stored, now) !== stored.reminder
  const last = overdue ? { actor: 'system:run', at: expires_at! } : await lastMoveOf(db, message)
  return new ServiceError('invalid_transition', why, {
    state: stateNow,
    by: last?.actor ?? message.created_by,
    at: (last?.at ?? message.created_at).toISOString(),
  })
}

function lastMoveOf(db: Db, { id, state }: MessageRow) {
  return db
    .selectFrom('audit')
    .select(['actor', 'at'])
    .where('object_kind', '=', 'message')
    .where('object_id', '=', id)
    .where('to_state', '=', state)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Rejects a decision about an outdated version.
 * @throws ServiceError invalid_transition, with details of the last change
 */
export async function assertVersion(
  trx: Trx,
  locked: LockedMessage,
  shownVersion: number | undefined,
): Promise<void> {
  if (shownVersion === undefined || shownVersion === locked.message.version) return
  const { version } = locked.message
  const why =
    shownVersion > version
      ? `There is no version ${shownVersion} of this message: it is at version ${version}. Get it again, then retry.`
      : `The message has changed since version ${shownVersion}; it is at version ${version}. Get it again, then retry.`
  throw await transitionError(trx, locked, why)
}

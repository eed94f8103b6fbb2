import {
  expirable,
  expirableReminders,
  isOneOf,
  type MessageState,
  type WaveState,
} from '../../contract/enums.ts'
import { isExpired } from './expiry.ts'
import type { Position } from './message-state.ts'
import { reminderStateAfter } from './waves.ts'

/**
 * The state that a message has for whoever reads it at `now` (ms since the epoch): `expired` from its time on, also before
 * its run has moved the row. The same rule in SQL is `shownState` of src/db/queries/shown-state.ts.
 */
export function stateAt(
  { state, expiresAt }: Pick<Position, 'state' | 'expiresAt'>,
  now: number,
): MessageState {
  return isOneOf(expirable, state) && isExpired(expiresAt, now) ? 'expired' : state
}

/** The state of its reminder for them; null: it has none. In SQL: `shownReminder`. */
export function reminderAt(
  { state, expiresAt, reminder }: Pick<Position, 'state' | 'expiresAt' | 'reminder'>,
  now: number,
): WaveState | null {
  if (reminder === null) return null
  const stateNow = stateAt({ state, expiresAt }, now)
  if (stateNow !== state) return reminderStateAfter(reminder, stateNow)
  return state === 'sent' && isOneOf(expirableReminders, reminder) && isExpired(expiresAt, now)
    ? 'expired'
    : reminder
}

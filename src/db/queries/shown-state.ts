import { type RawBuilder, sql } from 'kysely'
import { expirable, expirableReminders, type MessageState, type WaveState } from '../../contract/enums.ts'
import type { MessageRow } from '../tables.ts'

/**
 * The moment as of which states are shown: one for all rows of a statement, so that what a filter finds is shown in the
 * state that was asked for.
 */
export const shownAt = sql<Date>`statement_timestamp()`

const literals = (names: readonly string[]) => sql.join(names.map((name) => sql.lit(name)))

/** Whether the time of a message is over, and its run has yet to move the row. Reads `message_expiring`. */
export function isOverdue(message: string): RawBuilder<boolean> {
  const [state, expiresAt] = [sql.ref(`${message}.state`), sql.ref(`${message}.expires_at`)]
  return sql`(${state} in (${literals(expirable)}) and ${expiresAt} is not null and ${expiresAt} <= ${shownAt})`
}

/**
 * The state in which a message is shown: `expired` from its `expiresAt` on. Its run moves the row some seconds later, and
 * much later while Temporal is down. The same rule in TypeScript is `stateAt` of src/domain/message/shown-state.ts.
 */
export function shownState(message: string): RawBuilder<MessageState> {
  return sql`case when ${isOverdue(message)} then 'expired' else ${sql.ref(`${message}.state`)} end`
}

/** Whether a message is shown in this state, by a condition that an index of its state answers. */
export function isShown(message: string, state: (typeof expirable)[number]): RawBuilder<boolean> {
  const expiresAt = sql.ref(`${message}.expires_at`)
  return sql`${sql.ref(`${message}.state`)} = ${sql.lit(state)} and (${expiresAt} is null or ${expiresAt} > ${shownAt})`
}

/** The state in which the reminder of a message is shown; null: it has none. In TypeScript: `reminderAt`. */
export function shownReminder(message: string, reminder: string): RawBuilder<WaveState | null> {
  const [state, expiresAt] = [sql.ref(`${message}.state`), sql.ref(`${message}.expires_at`)]
  const its = sql.ref(`${reminder}.state`)
  return sql`case
    when ${isOverdue(message)} and ${its} in ('waiting', 'sending', 'paused') then 'cancelled'
    when ${state} = 'sent' and ${its} in (${literals(expirableReminders)}) and ${expiresAt} <= ${shownAt} then 'expired'
    else ${its} end`
}

/** What `stateAt` needs of a row that is read whole. */
export function storedState({ state, expires_at }: Pick<MessageRow, 'state' | 'expires_at'>) {
  return { state, expiresAt: expires_at?.getTime() ?? null }
}

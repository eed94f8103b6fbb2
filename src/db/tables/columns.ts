import type { ColumnType } from 'kysely'

/** Column types that several tables use. */

export type Instant = ColumnType<Date, Date | string, Date | string>
export type MaybeInstant = ColumnType<Date | null, Date | string | null, Date | string | null>
export type DefaultInstant = ColumnType<Date, Date | string | undefined, Date | string>
/** jsonb: read as a value, written as JSON text (`JSON.stringify`). */
export type Json<T> = ColumnType<T, string, string>
export type MaybeJson<T> = ColumnType<T | null, string | null, string | null>
export type DefaultJson<T> = ColumnType<T, string | undefined, string>
/** A calendar month, as its first day, `YYYY-MM-01`. */
export type Month = ColumnType<string, string, string>
/** A calendar day, `YYYY-MM-DD`. */
export type Day = ColumnType<string, string, string>

import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { anyOf } from './any-of.ts'
import type { Trx } from './connect.ts'
import type { Database } from './tables.ts'

/** A page of a list: the rows after this key (null: from the start), at most `limit`. */
export type RowPage<Key = string> = { after: Key | null; limit: number }

/** The tables of a query whose rows belong to a unit, by their alias in it. */
type OfUnits<Tables, From extends keyof Tables> = {
  [Table in From & string]: Tables[Table] extends { id: unknown; unit_id: unknown } ? Table : never
}[From & string]

/** The row of `table` with this id, if it belongs to one of these units. */
export function inUnits<Tables, From extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  table: OfUnits<Tables, From>,
  id: string,
  unitIds: readonly string[],
): SelectQueryBuilder<Tables, From, Row> {
  return query.where(sql.ref(`${table}.id`), '=', id).where(sql.ref(`${table}.unit_id`), '=', anyOf(unitIds))
}

/** A page of the rows of `table` that belong to this unit, newest first. */
export function pageOfUnit<Tables, From extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  table: OfUnits<Tables, From>,
  unitId: string,
  page: RowPage,
): SelectQueryBuilder<Tables, From, Row> {
  return newestFirst(query.where(sql.ref(`${table}.unit_id`), '=', unitId), `${table}.id`, page)
}

/** A page of a query's rows, newest first, by a column that increases with each new row. */
export function newestFirst<Tables, From extends keyof Tables, Row, Key>(
  query: SelectQueryBuilder<Tables, From, Row>,
  column: string,
  { after, limit }: RowPage<Key>,
): SelectQueryBuilder<Tables, From, Row> {
  const key = sql.ref(column)
  return query
    .$if(after !== null, (all) => all.where(sql<boolean>`${key} < ${after}`))
    .orderBy(key, 'desc')
    .limit(unplanned(limit))
}

/**
 * The limit of a page that is read in the order of an index. Postgres then plans for a tenth of the rows, and does not
 * prefer to sort all of those that it expects, which may be far more (docs/design/speed.md).
 */
export function unplanned(limit: number): RawBuilder<number> {
  return sql`(select ${limit}::integer)`
}

/**
 * A key as Postgres plans for any: of one that is newer than its statistics, it expects no row, and takes whatever index
 * begins with it.
 */
export function anyKey(id: string): RawBuilder<string> {
  return sql`(select ${id}::uuid)`
}

type WithId = {
  [Table in keyof Database]: Database[Table] extends { id: unknown } ? Table : never
}[keyof Database]

const locks = { share: sql`for share`, change: sql`for no key update`, delete: sql`for update` }

/**
 * Locks a row, if it exists, until the transaction ends: against changes by others, for a change, or for deletion. Read
 * the row after locking it (docs/design/transactions.md).
 */
export async function lockRow(trx: Trx, table: WithId, id: string, to: keyof typeof locks): Promise<void> {
  await sql`select from ${sql.table(table)} where id = ${id} ${locks[to]}`.execute(trx)
}

/** A row as it is stored, by its columns: in JSON, which nobody has to read to pass it on. */
export type RecordRow = string

/** Replaces an erased person in lists of uids, so that counts stay; no uid contains a space. */
export const erasedUid = 'erased subject'

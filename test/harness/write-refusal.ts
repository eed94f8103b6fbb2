import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../src/db/connect.ts'

/**
 * The writes that Postgres rejects. `row`: a condition on the affected rows, as `new` or `old`.
 */
export type WriteRefusal = {
  event: 'insert' | 'update' | 'delete'
  table: string
  row: string
  /** SQLSTATE; defaults to a permanent error. */
  code?: string
}

/** SQLSTATE of a lock timeout: retryable. */
export const lockNotAvailable = '55P03'

/** Makes Postgres reject writes of some rows with an error, until the returned function is called. */
export async function refuseWrites(
  db: Db,
  { event, table, row, code = 'P0001' }: WriteRefusal,
): Promise<() => Promise<void>> {
  const name = `refuse_${randomBytes(4).toString('hex')}`
  await sql
    .raw(`
    create function ${name}() returns trigger language plpgsql as $$
      begin raise exception 'refused by the test' using errcode = '${code}'; end $$;
    create trigger ${name} before ${event} on ${table} for each row when (${row}) execute function ${name}()`)
    .execute(db)
  return async () => {
    await sql.raw(`drop function ${name} cascade`).execute(db)
  }
}

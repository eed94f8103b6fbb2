import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../src/db/connect.ts'

/**
 * What Postgres is to refuse: `event` is `insert`, `update` or `delete`, `row` says of which rows, as `new` or `old`.
 */
export type WriteRefusal = {
  event: 'insert' | 'update' | 'delete'
  table: string
  row: string
  /** SQLSTATE; a fault that will not pass unless it is said. */
  code?: string
}

/** A time-out that met a lock: worth another try. */
export const lockNotAvailable = '55P03'

/** Has Postgres refuse some rows, as a fault of its own would, until what is answered is called. */
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

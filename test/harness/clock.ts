import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../../src/db/connect.ts'
import type { FreshDatabase } from './database.ts'

/** A database's clock, fixed by the test (ms since the epoch). */
export interface FrozenClock {
  readonly at: number
  set(at: number): Promise<void>
  close(): Promise<void>
}

/**
 * Makes every new connection read `clock_timestamp()` and `statement_timestamp()` from a table, by functions that precede
 * Postgres' own on the search path. For a database without connections. `now()` is unchanged.
 */
export async function freezeClock({ url }: FreshDatabase, start = Date.now()): Promise<FrozenClock> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`
    create schema frozen;
    create table frozen.moment (at timestamptz);
    insert into frozen.moment values (null);
    create function frozen.clock_timestamp() returns timestamptz volatile language sql
      as 'select at from frozen.moment';
    create function frozen.statement_timestamp() returns timestamptz stable language sql
      as 'select at from frozen.moment'`)
  const name = client.escapeIdentifier(new URL(url).pathname.slice(1))
  await client.query(`alter database ${name} set search_path = frozen, pg_catalog, public`)
  let now = start
  const set = async (at: number) => {
    await client.query('update frozen.moment set at = $1', [new Date(at).toISOString()])
    now = at
  }
  await set(start)
  return {
    get at() {
      return now
    },
    set,
    close: () => client.end(),
  }
}

/** Postgres' clock (ms since the epoch). */
export async function readClock(db: Db): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]!.now.getTime()
}

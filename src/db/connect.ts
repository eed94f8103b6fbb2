import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { preparingPool } from './pool.ts'
import type { Database } from './tables.ts'

/** The handle of the pool. Queries that lock take `Trx` instead, so that the compiler requires a transaction. */
export type Db = Kysely<Database>
export type Trx = Transaction<Database>

/** Server-side limits in ms, so that no statement, lock wait or abandoned transaction holds a connection forever. */
const timeouts = { statement: 60_000, lock: 10_000, idleInTransaction: 30_000 }

/** Idle time after which the kernel starts TCP keep-alive probes. */
const keepAliveMs = 10_000

type ConnectOptions = {
  /** Maximum number of connections; a caller waits for a free one for at most `acquireTimeoutMs`. */
  poolSize?: number
  acquireTimeoutMs?: number
  applicationName?: string
  /** After this long without a byte from the server, ask it whether it still executes the query; ms. */
  silenceMs?: number
}

// int8 counters fit a double up to 2^53; as strings, sums would concatenate.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
// A month is a calendar day; as a Date it would shift with the process' time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, String)

/** Opens a pool on `url`. An idle connection that breaks is dropped by the pool and reported to `onIdleError`. */
export function connect(
  url: string,
  options: ConnectOptions = {},
  onIdleError: (error: Error) => void = () => {},
): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize ?? 20,
    connectionTimeoutMillis: options.acquireTimeoutMs ?? 2_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: options.applicationName ?? 'carillon',
    options: [
      `-c statement_timeout=${timeouts.statement}`,
      `-c lock_timeout=${timeouts.lock}`,
      `-c idle_in_transaction_session_timeout=${timeouts.idleInTransaction}`,
      '-c timezone=UTC',
    ].join(' '),
  })
  pool.on('error', onIdleError)
  // Without a listener, an error between two queries of a transaction ends the process; the next query fails anyway.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: preparingPool(pool, options.silenceMs ?? 10_000) }),
  })
  pools.set(db, pool)
  return db
}

/**
 * Whether the database takes writes: it is no standby, and not set to be read-only. Throws its error if it does not
 * answer.
 */
export async function takesWrites(db: Db): Promise<boolean> {
  const { rows } = await sql<{ writable: boolean }>`
    select not pg_is_in_recovery() and not current_setting('transaction_read_only')::boolean as writable
  `.execute(db)
  return rows[0]!.writable
}

const pools = new WeakMap<Db, pg.Pool>()

/** The most connections that a handle's pool opens. */
export function poolSize(db: Db): number {
  return pools.get(db)?.options.max ?? 1
}

/** Connections of a handle's pool, and callers waiting for one; for metrics. */
export function poolUsage(db: Db): { busy: number; idle: number; waiting: number } {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pools.get(db) ?? {}
  return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}

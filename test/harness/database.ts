import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { postgresUrl } from '../../dev/postgres.ts'
import { connect, type Db } from '../../src/db/connect.ts'
import { scaledTimeout } from './timeouts.ts'
import './injected.ts'

export interface FreshDatabase {
  db: Db
  url: string
  /**
   * Closes `db` and drops the database; for afterAll.
   *
   * @throws Error if other connections are open: a leak in the code or in the test
   */
  drop(): Promise<void>
}

/** How long the server takes to notice closed connections. */
const CLOSING_MS = 500
/** The service answers 503 after this long; the test's own handle waits longer on a busy machine. */
const ACQUIRE_MS = 2_000

/** Creates an empty database with the current schema, for one test file. */
export function freshDatabase(): Promise<FreshDatabase> {
  return createDatabase(inject('templateDatabase'))
}

/** Creates a database without any schema, for tests of migrations. */
export function databaseWithoutSchema(): Promise<FreshDatabase> {
  return createDatabase('template1')
}

async function createDatabase(template: string): Promise<FreshDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdministrator((client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  )
  const url = postgresUrl(inject('postgres'), name)
  const db = connect(url, { acquireTimeoutMs: scaledTimeout(ACQUIRE_MS) })
  const drop = async () => {
    await db.destroy()
    const leaks = await openConnections(name)
    await asAdministrator((client) => client.query(`drop database ${name} with (force)`))
    if (leaks.length > 0) throw new Error(`Connections still open at the end:\n${leaks.join('\n')}`)
  }
  return { db, url, drop }
}

/** Describes connections that are still open after a grace period: the server needs a moment to close them. */
async function openConnections(name: string): Promise<string[]> {
  const deadline = performance.now() + scaledTimeout(CLOSING_MS)
  for (;;) {
    const sessions = await asAdministrator((client) =>
      client.query<{ line: string }>(
        `select format('%s, %s: %s', application_name, state, query) as line
         from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
        [name],
      ),
    )
    if (sessions.rowCount === 0 || performance.now() > deadline) return sessions.rows.map(({ line }) => line)
    await sleep(20)
  }
}

async function asAdministrator<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: postgresUrl(inject('postgres'), 'postgres') })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

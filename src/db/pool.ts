import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { detectHalfOpen } from './half-open.ts'
import { type StatementNames, statementNames } from './statement-names.ts'

/**
 * A pool whose connections prepare recurring statements, and detect a server that no longer answers. Once a server
 * refuses a write because it is a standby, all connections of that time are dropped: the others lead there too, and
 * would answer reads with old rows.
 */
export function preparingPool(pool: pg.Pool, silenceMs: number): PostgresPool {
  const names = statementNames()
  const clients = new WeakMap<pg.PoolClient, Preparing>()
  let refusals = 0
  const refused = () => void refusals++

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      for (;;) {
        const client = await pool.connect()
        const entry = clients.get(client) ?? {
          client: preparing(client, { names, silenceMs, refused }),
          refusals,
        }
        clients.set(client, entry)
        if (entry.refusals === refusals) return entry.client
        client.release(true)
      }
    },
  }
}

/** A connection, and how many writes had been refused when it was made. */
type Preparing = { client: PostgresPoolClient; refusals: number }

type PreparingOptions = { names: StatementNames; silenceMs: number; refused: () => void }

function preparing(
  client: pg.PoolClient,
  { names, silenceMs, refused }: PreparingOptions,
): PostgresPoolClient {
  let outdated = false

  async function query(text: string, values: readonly unknown[]) {
    const name = names.nameOf(text, values)
    const watch = detectHalfOpen(client, silenceMs)
    try {
      return await client.query({ ...(name && { name }), text, values: [...values] })
    } catch (error) {
      if (name && isOutdated(error)) {
        outdated = true
        names.forget()
      }
      if (isReadOnly(error)) {
        outdated = true
        refused()
      }
      throw error
    } finally {
      watch.end()
    }
  }

  return {
    query: query as unknown as PostgresPoolClient['query'], // the other overload is for cursors, which are not used
    release: (destroy) => client.release(destroy || outdated),
  }
}

/** A migration changed a table after this connection prepared the statement (`feature_not_supported`). */
function isOutdated(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000'
}

/** The server is a standby, or is set to take no writes (`read_only_sql_transaction`). */
function isReadOnly(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25006'
}

import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { detectHalfOpen } from './half-open.ts'
import { type StatementNames, statementNames } from './statement-names.ts'

/** A pool whose connections prepare recurring statements, and detect a server that no longer answers. */
export function preparingPool(pool: pg.Pool, silenceMs: number): PostgresPool {
  const names = statementNames()
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client) ?? preparing(client, names, silenceMs)
      clients.set(client, known)
      return known
    },
  }
}

function preparing(client: pg.PoolClient, names: StatementNames, silenceMs: number): PostgresPoolClient {
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

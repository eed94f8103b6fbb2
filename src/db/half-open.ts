import type { Socket } from 'node:net'
import pg from 'pg'

/** How long the server may take to tell a second connection how the first one is, ms. */
const askMs = 5_000
/** An answer may be on its way while the server says that it has given it. */
const onItsWayMs = 1_000

/**
 * Watches a query until `end`: after each `silenceMs` without a byte it asks the server, on a second connection, whether
 * it works on it. Where it does not, or does not answer either, the first connection leads nowhere (a cable, a firewall
 * or a proxy has dropped it, and nobody says so): it is destroyed, and its query fails. A long query is left to
 * Postgres' own limits.
 */
export function detectHalfOpen(client: pg.Client, silenceMs: number): { end(): void } {
  const { connection, processID } = client as unknown as Inside
  const { stream } = connection
  let heard = stream.bytesRead
  let timer = setTimeout(look, silenceMs)
  let ended = false

  async function look(): Promise<void> {
    const silent = stream.bytesRead === heard
    heard = stream.bytesRead
    if (silent && !(await isWorking(client, processID))) {
      await new Promise((resolve) => setTimeout(resolve, onItsWayMs))
      if (!ended && stream.bytesRead === heard) stream.destroy(new Error('Connection terminated: no answer'))
    }
    if (!ended) timer = setTimeout(look, silenceMs)
  }

  return {
    end() {
      ended = true
      clearTimeout(timer)
    },
  }
}

/** What node-postgres has, and does not show. */
type Inside = { connection: { stream: Socket }; processID: number }

/** Does the server work on something for this connection? One that refuses to say so is there, at least. */
async function isWorking(
  { host, port, user, password, database, ssl }: pg.Client,
  pid: number,
): Promise<boolean> {
  const second = new pg.Client({
    ...{ host, port, user, password, database, ssl },
    connectionTimeoutMillis: askMs,
    query_timeout: askMs,
  })
  second.on('error', () => {})
  try {
    await second.connect()
    const { rows } = await second.query(`select from pg_stat_activity where pid = $1 and state = 'active'`, [
      pid,
    ])
    return rows.length > 0
  } catch (error) {
    return error instanceof pg.DatabaseError
  } finally {
    ;(second as unknown as Inside).connection.stream.destroy()
  }
}

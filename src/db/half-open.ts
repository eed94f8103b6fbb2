import type { Socket } from 'node:net'
import pg from 'pg'

/** Timeout of the check on the second connection, ms. */
const checkTimeoutMs = 5_000
/** The answer may still be in transit when the server reports the query as finished; ms. */
const transitMs = 1_000

/**
 * Watches a query until `end`: after each `silenceMs` without a byte it asks the server, on a second connection,
 * whether the query is still running. If it is not, or the server does not answer, the first connection is half-open (a
 * cable, a firewall or a proxy dropped it silently): it is destroyed, and its query fails. Postgres' own limits end a
 * long query.
 */
export function detectHalfOpen(client: pg.Client, silenceMs: number): { end(): void } {
  const { connection, processID } = client as unknown as ClientInternals
  const { stream } = connection
  let bytesSeen = stream.bytesRead
  let timer = setTimeout(probe, silenceMs)
  let ended = false

  async function probe(): Promise<void> {
    const silent = stream.bytesRead === bytesSeen
    bytesSeen = stream.bytesRead
    if (silent && !(await isWorking(client, processID))) {
      await new Promise((resolve) => setTimeout(resolve, transitMs))
      if (!ended && stream.bytesRead === bytesSeen)
        stream.destroy(new Error('Connection terminated: no answer'))
    }
    if (!ended) timer = setTimeout(probe, silenceMs)
  }

  return {
    end() {
      ended = true
      clearTimeout(timer)
    },
  }
}

/** Internals of node-postgres that its types do not expose. */
type ClientInternals = { connection: { stream: Socket }; processID: number }

/** Whether the server is executing a query of this connection. A server that answers with an error counts as alive. */
async function isWorking(
  { host, port, user, password, database, ssl }: pg.Client,
  pid: number,
): Promise<boolean> {
  const second = new pg.Client({
    host,
    port,
    user,
    password,
    database,
    ssl,
    connectionTimeoutMillis: checkTimeoutMs,
    query_timeout: checkTimeoutMs,
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
    ;(second as unknown as ClientInternals).connection.stream.destroy()
  }
}

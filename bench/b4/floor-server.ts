import { Client, Connection } from '@temporalio/client'
import fastify from 'fastify'
import pg from 'pg'
import { eventPrincipal, requireSigningKey } from '../../src/api/auth/event-signature.ts'
import { readConfig } from '../../src/config.ts'
import type { SystemEvent } from '../../src/contract/events/event.ts'
import { startBare } from '../bare/run.ts'

/**
 * The minimum cost of a durable answer to an event: a bare route that verifies the signature over the received bytes,
 * stores the event by one INSERT, and answers once Temporal has its run. A separate process.
 */
const { DATABASE_URL, TEMPORAL_ADDRESS, EVENT_SIGNING_KEYS: keys, PORT } = readConfig(process.env)
const signing = { keys, sources: new Map() }
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 20 })
await pool.query('create table bench_event (event_id text primary key, body jsonb not null)')
const insert = 'insert into bench_event (event_id, body) values ($1, $2) on conflict do nothing'
const client = new Client({ connection: await Connection.connect({ address: TEMPORAL_ADDRESS }) })

const app = fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
)
app.post<{ Body: Buffer }>('/v1/events/:source', async ({ headers, body }, reply) => {
  eventPrincipal(await requireSigningKey(signing, { source: 'floor', headers }), body, Date.now())
  const text = body.toString()
  const { eventId } = JSON.parse(text) as SystemEvent
  await pool.query({ name: 'insert', text: insert, values: [eventId, text] })
  await startBare(client, eventId)
  return reply.code(202).send({ accepted: true, eventId })
})
await app.listen({ host: '127.0.0.1', port: PORT })

process.once('SIGTERM', () => process.exit(0))

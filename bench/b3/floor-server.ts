import { createHash } from 'node:crypto'
import fastify from 'fastify'
import pg from 'pg'
import type { z } from 'zod'
import { CreateMessage } from '../../src/contract/messages/create.ts'

/**
 * The minimum cost of creating a message: a bare route with a zod body, and one statement that checks the producer's
 * key and the idempotency key and inserts. A separate process.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL!, max: 20 })
await pool.query(`
  create table bench_message (
    id uuid primary key default uuidv7(),
    unit_id uuid not null,
    idempotency_key text not null,
    body_hash bytea not null,
    body jsonb not null,
    unique (unit_id, idempotency_key)
  )`)

/** No row: the key is invalid. */
const create = `
  with caller as (
    select unit_id from producer_key where id = $1 and secret_hash = $2 and revoked_at is null
  )
  insert into bench_message as before (unit_id, idempotency_key, body_hash, body)
  select unit_id, $3, $4, $5 from caller
  on conflict (unit_id, idempotency_key) do update set body_hash = before.body_hash
  returning id, body_hash = $4 as same, old.id is null as created`
type Created = { id: string; same: boolean; created: boolean }

const app = fastify()
app.setValidatorCompiler<z.ZodType>(({ schema }) => (data) => {
  const result = schema.safeParse(data)
  return result.success ? { value: result.data } : { error: result.error }
})
app.post<{ Body: CreateMessage }>(
  '/v1/messages',
  { schema: { body: CreateMessage } },
  async ({ headers, body }, reply) => {
    const [, id, secret] = /^Bearer hub_(\w+)_(\w+)$/.exec(headers.authorization ?? '') ?? []
    const text = JSON.stringify(body)
    const values = [id, sha256(secret ?? ''), headers['idempotency-key'], sha256(text), text]
    const { rows } = await pool.query<Created>({ name: 'create', text: create, values })
    const [row] = rows
    if (!row) return reply.code(401).send({ error: 'invalid_credential' })
    if (!row.same) return reply.code(409).send({ error: 'idempotency_mismatch', id: row.id })
    return reply.code(row.created ? 201 : 200).send({ id: row.id, state: 'draft' })
  },
)
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })

process.once('SIGTERM', () => process.exit(0))

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

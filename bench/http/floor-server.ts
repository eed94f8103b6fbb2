import fastify from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import pg from 'pg'
import { CreateMessage } from '../../src/contract/create-message.ts'
import { SystemEvent } from '../../src/contract/event.ts'

/**
 * The least that taking an event or a message can cost: a bare route, a zod body, one INSERT. A process of its own,
 * as our API is.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL!, max: 20 })
await pool.query(
  'create table if not exists bench_floor (id uuid primary key default uuidv7(), body jsonb not null)',
)

const app = fastify().withTypeProvider<ZodTypeProvider>()
app.setValidatorCompiler(validatorCompiler)
app.setSerializerCompiler(serializerCompiler)
app.get('/readyz', async () => 'ready')
for (const [path, body] of [
  ['/events', SystemEvent],
  ['/messages', CreateMessage],
] as const)
  app.post(path, { schema: { body } }, async ({ body }, reply) => {
    const { rows } = await pool.query('insert into bench_floor (body) values ($1) returning id', [body])
    return reply.code(202).send({ accepted: true, id: rows[0].id })
  })
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })

process.once('SIGTERM', () => process.exit(0))

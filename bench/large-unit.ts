import { sql } from 'kysely'
import { type Caller, call } from '../dev/demo/send.ts'
import type { Db } from '../src/db/connect.ts'
import type { BenchInstallation } from './installation.ts'
import { approve, shortMessage, submit } from './message.ts'
import { chatCategory } from './names.ts'

/** Of a thousand messages, how many are in each state. They were made over HTTP once, and copied. */
const shares = { sent: 950, cancelled: 30, approved: 9, draft: 10, submitted: 1 } as const
type State = keyof typeof shares

/** The messages that were copied, by their state. */
export type Originals = Record<State, string>

const days = 366

/** Fills the unit with messages to everybody, of the last year and in every state. The API must run. */
export async function fillLargeUnit(installation: BenchInstallation, messages: number): Promise<Originals> {
  const { db } = installation
  const originals = await makeOriginals(installation)
  const total = Object.values(shares).reduce((sum, share) => sum + share, 0)
  let from = 0
  for (const [state, share] of Object.entries(shares) as [State, number][]) {
    const count = Math.ceil((messages * share) / total)
    await copyMessage(db, originals[state], { from, count, of: messages })
    from += count
  }
  return originals
}

async function makeOriginals(installation: BenchInstallation): Promise<Originals> {
  const { db, environment, credentials } = installation
  const body = shortMessage(chatCategory, { kind: 'all' })
  const later = { ...body, scheduleAt: new Date(Date.now() + 30 * 86_400_000).toISOString() }
  const producer: Caller = { api: environment.addresses.api, key: credentials.key }
  const { id: draft } = await call<{ id: string }>(producer, 'POST', '/v1/messages', body, 'draft')
  const [submitted, approved, cancelled, sent] = [
    await submit(installation, body),
    await submit(installation, later),
    await submit(installation, later),
    await submit(installation, later),
  ]
  await approve(installation, approved)
  await call(producer, 'POST', `/v1/messages/${cancelled}/cancel`)
  await approve(installation, sent)
  await sql`update message set state = 'sent', closed_at = now() where id = ${sent}`.execute(db)
  await sql`update wave set state = 'sent', expected = 1000, sent = 1000, finished_at = now() where message_id = ${sent}`.execute(
    db,
  )
  return { draft, submitted, approved, cancelled, sent }
}

type Copies = { from: number; count: number; of: number }

/** Copies a message with what belongs to it; the copies were made one after the other during the last year. */
async function copyMessage(db: Db, id: string, { from, count, of }: Copies): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`
      create temporary table copy on commit drop as
      select uuidv7(-age) as id, now() - age as at
      from generate_series(${from}::int + 1, ${from + count}::int) as n
        cross join lateral (select make_interval(secs => ${days * 86_400}::float8 * (1 - n::float8 / ${of}::int)) as age) as of
    `.execute(trx)
    const copied = (table: string, changes: ReturnType<typeof sql>) => sql`
      insert into ${sql.table(table)}
      select (jsonb_populate_record(original, ${changes})).*
      from ${sql.table(table)} as original cross join copy
      where original.${sql.ref(table === 'message' ? 'id' : 'message_id')} = ${id}`
    await copied(
      'message',
      sql`jsonb_build_object('id', copy.id, 'created_at', copy.at, 'idempotency_key', null)`,
    ).execute(trx)
    for (const table of ['message_content', 'message_author'])
      await copied(table, sql`jsonb_build_object('message_id', copy.id)`).execute(trx)
    await copied('wave', sql`jsonb_build_object('message_id', copy.id, 'id', uuidv7())`).execute(trx)
  })
}

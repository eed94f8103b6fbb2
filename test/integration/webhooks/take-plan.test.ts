import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { takeWebhookEvent } from '../../../src/db/queries/event/webhook.ts'
import { rowsReadBy, watchedDatabase } from '../../fixtures/query-plans.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)
const watched = forFile(() => watchedDatabase(database.url))

async function insertEvents(count: number): Promise<void> {
  await sql`
    insert into webhook_event (channel, event_id, type, address, occurred_at, payload)
    select 'chat', gen_random_uuid(), 'postback', 'U' || n, now(), '{}' from generate_series(1, ${count}::int) as n`.execute(
    database.db,
  )
}

it('takes an event of many without reading the others, though statistics know of none that is pending', async () => {
  await insertEvents(50)
  await sql`update webhook_event set outcome = 'answered', done_at = now()`.execute(database.db)
  await sql`analyze webhook_event`.execute(database.db)
  await insertEvents(1_000)
  const event = await watched.db.transaction().execute(takeWebhookEvent)
  expect(event).toMatchObject({ address: 'U1' })
  const statement = watched.asked.find((one) => one.sql.includes('webhook_event'))!
  const { webhook_event: read } = await rowsReadBy(database.url, statement)
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(100)
})

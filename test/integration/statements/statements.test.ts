import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { bind, newEvent, sendEvent } from '../../fixtures/signed-event.ts'
import { countedDatabase } from '../../fixtures/statements.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

/** How many round trips to Postgres each act takes, `begin` and `commit` included: more of them is what makes it slow. */
const world = forFile(async () => {
  const database = await freshDatabase()
  const counted = countedDatabase(database.url)
  const api = await startApi({ database: { ...database, db: counted.db } })
  const close = async () => {
    await counted.close()
    await api.close()
  }
  return { api, counted, close }
})

it('creating a message takes the statement of its key and one more', async () => {
  const { api, counted } = world
  const create = () => {
    const headers = { 'idempotency-key': randomUUID() }
    return api.call('createMessage', { key: api.keys.a, headers, body: newMessage })
  }
  await create()
  const [sent, { status }] = await counted.statementsOf(create)
  expect(status).toBe(201)
  expect(sent).toHaveLength(2)
})

it('an event that becomes a message takes twelve', async () => {
  const { api, counted } = world
  await bind(api)
  await sendEvent(api, newEvent())
  const [sent, { status, body }] = await counted.statementsOf(() => sendEvent(api, newEvent()))
  expect(status, JSON.stringify(body)).toBe(202)
  expect(sent).toHaveLength(12)
})

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect, type Db } from '../../../src/db/connect.ts'
import { insertCategory } from '../../../src/db/queries/catalogue/category.ts'
import { insertUnit } from '../../../src/db/queries/identity/unit.ts'
import { insertMessage } from '../../../src/db/queries/message/message.ts'
import { findReferences, type References } from '../../../src/db/queries/message/references.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const categoryId = 'news'

/** One connection, because it keeps its first plan. */
let db: Db
const database = forFile(freshDatabase)
beforeAll(async () => {
  db = connect(database.url, { poolSize: 1 })
  await insertCategory(db, {
    id: categoryId,
    name: { 'zh-TW': '消息', en: 'News' },
    layer: 'service',
    channelPlan: { mode: 'all', channels: ['chat'] },
  })
})
afterAll(async () => {
  await db.destroy()
})

function look(unitId: string, idempotencyKey: string): Promise<References> {
  return findReferences(db, { unitId, idempotencyKey, categoryId, templateId: null, topicId: null })
}

function insert(unitId: string, idempotencyKey: string) {
  return insertMessage(db, {
    ...{ unitId, idempotencyKey, categoryId, topicId: null, templateId: null, createdBy: 'key:k' },
    ...{ bodyHash: Buffer.alloc(32), kind: 'broadcast', origin: 'api', planOverride: null },
    title: { 'zh-TW': '標題' },
    audience: { kind: 'all' },
    channelPlan: { mode: 'all', channels: ['chat'] },
    ...{
      reference: null,
      scheduleAt: null,
      expiresAt: null,
      remindAt: null,
      remindTo: 'all',
      pace: null,
      request: {},
    },
  })
}

async function newUnit(): Promise<string> {
  return (await insertUnit(db, { name: randomUUID(), kind: 'ordinary' })).id
}

it('a key is found in its unit and in no other', async () => {
  const [one, other] = [await newUnit(), await newUnit()]
  const ids = [await insert(one, 'same'), await insert(other, 'same')]
  expect((await look(one, 'same')).known?.id).toBe(ids[0])
  expect((await look(other, 'same')).known?.id).toBe(ids[1])
  expect((await look(await newUnit(), 'same')).known).toBeNull()
})

it("a key is found without reading the unit's other messages, even while Postgres has no statistics", async () => {
  const unitId = await newUnit()
  const before = await readSoFar()
  for (let nth = 0; nth < 300; nth++) {
    await look(unitId, `key-${nth}`)
    await insert(unitId, `key-${nth}`)
  }
  expect((await readSoFar()) - before).toBe(0)
})

/** Scans of messages by anything but the id. */
async function readSoFar(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ read: number }>`
    select sum(idx_tup_read)::int as read from pg_stat_user_indexes
    where relname = 'message' and indexrelname <> 'message_pkey'`.execute(db)
  return rows[0]!.read
}

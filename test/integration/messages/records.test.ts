import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertAnswer } from '../../../src/db/queries/answer/answer.ts'
import { listMessageRespondents } from '../../../src/db/queries/answer/respondents.ts'
import { ensureDeliveryPartition } from '../../../src/db/queries/delivery/deliveries.ts'
import { listMessageDeliveries, type MessageDeliveryCursor } from '../../../src/db/queries/message/records.ts'
import { startApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { updateRows } from '../../fixtures/rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const body = { ...newMessage, categoryId: 'manual' }

describe('who received a message', () => {
  let message: { id: string; waveId: string }
  const api = forFile(startApi)
  beforeAll(async () => {
    message = await insertSentMessage(api, body)
    const { db } = api.database
    const skipped = await subjectId('s2')
    await updateRows(db, 'delivery', { subject_id: skipped }, { state: 'skipped', reason: 'noConsent' })
    for (const [uid, optionId, o] of [
      ['s1', 'yes', '0'],
      ['s2', 'no', '1'],
    ] as const)
      await insertAnswer(db, {
        ...{ messageId: message.id, subjectId: await subjectId(uid), question: '0', n: 0, o, optionId },
        ...{ data: null, channel: 'chat', at: null },
      })
  })

  async function subjectId(uid: string): Promise<string> {
    const { db } = api.database
    return (await db.selectFrom('subject').select('id').where('uid', '=', uid).executeTakeFirstOrThrow()).id
  }
  const deliveries = async (query: Record<string, string> = {}) =>
    (await api.call('listMessageDeliveries', { key: api.keys.individual, id: message.id, query })).body
  const uidsOf = (page: { items: { uid: string | null }[] }) => page.items.map(({ uid }) => uid).sort()

  it('is listed page by page, with the outcome and the reason', async () => {
    const all: { uid: string }[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await deliveries({ limit: '2', ...(cursor && { cursor }) })
      expect(page.items.length).toBeLessThanOrEqual(2)
      all.push(...page.items)
      cursor = page.nextCursor
    }
    const everybody = await api.database.db.selectFrom('subject').select('uid').orderBy('uid').execute()
    expect(uidsOf({ items: all })).toEqual(everybody.map(({ uid }) => uid))
    expect(all.find(({ uid }) => uid === 's2')).toMatchObject({
      ...{ subjectId: await subjectId('s2'), reminder: false, channel: 'chat' },
      ...{ state: 'skipped', reason: 'noConsent', at: expect.stringMatching(/Z$/) },
    })
  })

  it('is filtered by outcome, reason and person', async () => {
    expect(uidsOf(await deliveries({ state: 'skipped' }))).toEqual(['s2'])
    expect(uidsOf(await deliveries({ reason: 'noConsent' }))).toEqual(['s2'])
    expect(uidsOf(await deliveries({ uid: 's1' }))).toEqual(['s1'])
    expect(uidsOf(await deliveries({ uid: 's1', state: 'failed' }))).toEqual([])
    expect(uidsOf(await deliveries({ uid: 'nobody' }))).toEqual([])
  })

  it('is read by members of an administrative unit, and by keys that may target individuals', async () => {
    const { db } = api.database
    const { id } = message
    const read = (as: CallOptions) => api.call('listMessageDeliveries', { ...as, id })
    for (const as of [{ key: api.keys.a }, { session: api.sessions.approver }])
      expect((await read(as)).code).toBe('forbidden')
    expect((await read({ key: api.keys.b })).code).toBe('not_found')
    await db.updateTable('unit').set({ kind: 'administrative' }).where('id', '=', api.units.a).execute()
    expect((await read({ session: api.sessions.approver })).code).toBeNull()
    expect((await read({ session: api.sessions.otherApprover })).code).toBe('not_found')
    await db.updateTable('unit').set({ kind: 'ordinary' }).where('id', '=', api.units.a).execute()
  })

  it('is audited with the one who read it, and not part of the timeline', async () => {
    await deliveries({ uid: 's1' })
    const query = { objectKind: 'message', objectId: message.id }
    const { items } = (await api.call('listAudit', { session: api.sessions.approver, query })).body
    expect(items[0]).toMatchObject({
      action: 'read',
      by: { id: `key:${api.keys.individual.split('_')[1]}` },
      details: { what: 'deliveries', subjectId: await subjectId('s1') },
    })
    const { timeline } = (await api.call('getMessage', { key: api.keys.a, id: message.id })).body
    expect(timeline.map(({ action }: { action: string }) => action)).toEqual(['create', 'submit', 'approve'])
  })

  it('has no uid once the person is erased, and their answers are gone', async () => {
    const erased = await subjectId('s2')
    await api.call('eraseSubject', { key: api.keys.administrative, id: 's2' })
    const page = await deliveries({ state: 'skipped' })
    expect(page.items).toMatchObject([{ subjectId: erased, uid: null, reason: 'noConsent' }])
    const { body } = await api.call('listMessageAnswers', { key: api.keys.individual, id: message.id })
    expect(uidsOf(body)).toEqual(['s1'])
  })

  it('rejects the cursor of another list', async () => {
    for (const operation of ['listMessageDeliveries', 'listMessageAnswers'] as const)
      for (const text of ['nonsense', '7 x y', `2 ${randomUUID()} chat`]) {
        const query = { cursor: Buffer.from(text).toString('base64url') }
        const answer = await api.call(operation, { key: api.keys.individual, id: message.id, query })
        expect(answer.code).toBe('validation_error')
      }
  })
})

describe('a message with 100,000 deliveries', () => {
  const people = 100_000
  let messageId: string
  const database = forFile(freshDatabase)
  beforeAll(async () => {
    const { db } = database
    const inserted = await sql<{ id: string; wave: string }>`
      with u as (insert into unit (name, kind) values ('Registry', 'ordinary') returning id),
      c as (insert into category (id, name, layer, channel_plan)
        values ('news', '{"zh-TW": "新聞"}', 'service', '{"mode": "all", "channels": ["chat"]}') returning id),
      m as (insert into message (unit_id, category_id, origin, title, audience, channel_plan, created_by)
        select u.id, c.id, 'api', '{"zh-TW": "題"}', '{"kind": "all"}', '{"mode": "all", "channels": ["chat"]}', 'key:k'
        from u, c returning id)
      insert into wave (message_id, month) select id, '2026-11-01' from m returning message_id as id, id as wave
    `.execute(db)
    const { id, wave } = inserted.rows[0]!
    messageId = id
    await ensureDeliveryPartition(db, wave)
    await sql`
      insert into delivery (wave_id, subject_id, channel, batch, state, reason)
      select ${wave}, gen_random_uuid(), 'chat', n / 500, 'sent', null from generate_series(1, ${people}) as n
    `.execute(db)
    await sql`
      with person as (
        insert into subject (id, uid) select subject_id, 'p' || row_number() over () from delivery returning id
      )
      insert into message_answer (message_id, subject_id, question, n, o, option_id, channel)
      select ${id}, id, '0', 0, '0', 'yes', 'chat' from person
    `.execute(db)
    await sql`analyze delivery, message_answer, subject`.execute(db)
  })

  const all = { states: undefined, reason: undefined, subjectId: undefined }

  /** How many rows of the tables `work` reads, by index and otherwise. */
  async function rowsRead(tables: string, work: (db: FreshDatabase['db']) => Promise<unknown>) {
    return database.db.transaction().execute(async (trx) => {
      const read = async () => {
        const { rows } = await sql<{ byIndex: number; otherwise: number }>`
          select coalesce(sum(idx_tup_fetch), 0)::integer as "byIndex", coalesce(sum(seq_tup_read), 0)::integer as otherwise
          from pg_stat_xact_user_tables where relname like ${tables}`.execute(trx)
        return rows[0]!
      }
      const before = await read()
      await work(trx)
      const after = await read()
      return { byIndex: after.byIndex - before.byIndex, otherwise: after.otherwise - before.otherwise }
    })
  }

  /** What Postgres may read for a page, besides its rows: next to nothing. */
  const aPage = { byIndex: expect.toSatisfy((rows: number) => rows <= 60), otherwise: 0 }

  it('is read once, page by page, from an index: no page reads more than its own rows', async () => {
    const ids = new Set<string>()
    let after: MessageDeliveryCursor | null = null
    for (;;) {
      const page = await listMessageDeliveries(database.db, messageId, all, { after, limit: 20_000 })
      for (const { subjectId } of page) ids.add(subjectId)
      const last = page.at(-1)
      if (!last) break
      after = { wave: last.wave, subjectId: last.subjectId, channel: last.channel }
    }
    expect(ids.size).toBe(people)
    const middle = [...ids].sort()[people / 2]!
    for (const from of [null, { wave: 0, subjectId: middle, channel: 'chat' }])
      expect(
        await rowsRead('delivery%', (db) =>
          listMessageDeliveries(db, messageId, all, { after: from, limit: 51 }),
        ),
      ).toEqual(aPage)
    const one = { ...all, subjectId: middle }
    expect(
      await rowsRead('delivery%', (db) =>
        listMessageDeliveries(db, messageId, one, { after: null, limit: 51 }),
      ),
    ).toEqual(aPage)
  })

  it('has answers that are read in the same way', async () => {
    const which = { from: null, q: undefined, optionId: undefined }
    const [first] = await listMessageRespondents(database.db, messageId, which, { after: null, limit: 1 })
    // The people of the page, and the answers of each.
    const twice = { ...aPage, byIndex: expect.toSatisfy((rows: number) => rows <= 2 * 60) }
    for (const after of [null, first!.subjectId])
      expect(
        await rowsRead('message_answer', (db) =>
          listMessageRespondents(db, messageId, which, { after, limit: 51 }),
        ),
      ).toEqual(twice)
  })
})

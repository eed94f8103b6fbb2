import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertAnswer, insertDoNotRemind } from '../../../src/db/queries/answer/answer.ts'
import { setPreferences, unsubscribeTopic } from '../../../src/db/queries/subject/consent.ts'
import { countAllPeople } from '../../../src/services/metrics/roll-up.ts'
import { startApi } from '../../fixtures/api.ts'
import { insertHandoff } from '../../fixtures/handoffs.ts'
import { insertFinished, insertSent, openedIn, rollUpAll } from '../../fixtures/numbers.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { insertRow } from '../../fixtures/rows.ts'
import { insertScenario, insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { forFile } from '../../harness/for-file.ts'

let ids: string[]
const api = forFile(startApi)
beforeAll(async () => {
  const { db } = api.database
  await openedIn(db, api.units.a, 'Asia/Taipei', 70)
  const tag = await addRecipients(db, 10)
  const people = db.selectFrom('subject').select('id').where(sql<boolean>`tags @> array[${tag}]`)
  ids = (await people.orderBy('uid').execute()).map(({ id }) => id)
})

const numbers = async (query: Record<string, string> = {}) => {
  const { status, body } = await api.call('getExecutiveMetrics', { key: api.keys.a, query })
  expect(status).toBe(200)
  return body
}
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
const to = (subjectIds: string[], state: 'sent' | 'unknown' | 'failed' = 'sent') =>
  subjectIds.map((subjectId) => ({ subjectId, channel: 'chat' as const, state }))

/** A finished message of unit a. */
async function sent(days: number, deliveries: ReturnType<typeof to>, remindAt?: Date) {
  const { db } = api.database
  const messageId = await insertSent(db, api.units.a, remindAt ? { remindAt } : {})
  await insertFinished(db, { unitId: api.units.a, messageId, finishedAt: daysAgo(days), deliveries })
  return messageId
}

async function countAgain() {
  await sql`update people_metric set counted_at = null`.execute(api.database.db)
  expect(await countAllPeople(api.database)).toBe(true)
  expect(await countAllPeople(api.database)).toBe(false)
}

describe('the executive numbers', () => {
  it('are nothing before anything was sent, without a ratio of nothing', async () => {
    const { reach, conversations, completion, reminders, handoffs, unsubscribes } = await numbers()
    expect({ reach, conversations, completion, reminders, handoffs, unsubscribes }).toEqual({
      reach: { sent: 0, people: 0, reached: 0, read: 0, blocked: 0, readRate: null, blockRate: null },
      conversations: { runs: 0, turns: 0, people: 0, completed: 0 },
      completion: {},
      reminders: {},
      handoffs: { toPerson: 0, replies: 0 },
      unsubscribes: { topics: 0, categories: 0 },
    })
  })

  it('count people once, who read and who left, in these days alone', async () => {
    const { db } = api.database
    await sent(40, to(ids.slice(0, 4)))
    const first = await sent(3, [
      ...to(ids.slice(0, 3)),
      ...to(ids.slice(3, 4), 'unknown'),
      ...to(ids.slice(4, 5), 'failed'),
    ])
    await sent(0, to(ids.slice(0, 2)))
    await rollUpAll(db)
    const pressed = {
      question: '0',
      n: 0,
      o: '0',
      optionId: '1',
      data: null,
      at: null,
      channel: 'chat',
    } as const
    // The last one was not reached as far as the provider knew.
    for (const subjectId of [ids[0]!, ids[1]!, ids[4]!])
      await insertAnswer(db, { messageId: first, subjectId, ...pressed })
    await rollUpAll(db)
    await sql`update address set blocked_at = now() where subject_id = any(${[ids[3], ids[9]]}::uuid[])`.execute(
      db,
    )
    await unsubscribeTopic(db, api.topics.active, [ids[1]!, ids[8]!])
    const choice = { categoryId: 'news', enabled: false }
    await setPreferences(
      db,
      [ids[2]!, ids[7]!].flatMap((subjectId) => [
        { ...choice, subjectId, channel: 'chat' as const },
        { ...choice, subjectId, channel: 'email' as const },
      ]),
    )
    const { reach, unsubscribes } = await numbers()
    expect(reach).toEqual({
      ...{ sent: 6, people: 4, reached: 6, read: 2, blocked: 1 },
      ...{ readRate: 0.3333, blockRate: 0.25 },
    })
    expect(unsubscribes).toEqual({ topics: 2, categories: 1 })
    expect((await numbers({ days: '1' })).reach).toMatchObject({ sent: 2, people: 2, blocked: 0 })
    expect((await numbers({ days: '60' })).reach).toMatchObject({ sent: 10, people: 4, reached: 10 })
  })

  it('tell for each message with a reminder how people responded', async () => {
    const { db } = api.database
    const id = await sent(0, to(ids.slice(5, 9)), new Date())
    await insertDoNotRemind(db, id, ids[5]!)
    await rollUpAll(db)
    expect((await numbers()).reminders).toEqual({
      [id]: { reached: 4, read: 1, doNotRemind: 1, sentAfterReminder: 0 },
    })
    const deliveries = to(ids.slice(6, 9))
    await insertFinished(db, {
      unitId: api.units.a,
      messageId: id,
      finishedAt: new Date(),
      reminder: true,
      deliveries,
    })
    await rollUpAll(db)
    expect((await numbers()).reminders).toEqual({
      [id]: { reached: 4, read: 1, doNotRemind: 1, sentAfterReminder: 3 },
    })
  })

  it('count the runs of scenarios that began in these days, without tests', async () => {
    const { db } = api.database
    const scenario = await insertScenario(db, { unitId: api.units.a })
    const run = (columns: object) => insertScenarioRun(db, { scenario, subjectId: ids[0]!, columns })
    const told = await run({ state: 'done', closed_at: new Date(), occasion: '1' })
    await run({ occasion: '2' })
    await run({ state: 'done', closed_at: new Date(), test: true, occasion: '3' })
    await run({ state: 'done', closed_at: new Date(), created_at: daysAgo(50), occasion: '4' })
    const turn = {
      run_id: told,
      first_node: 'ask',
      last_node: 'ask',
      unit_id: api.units.a,
      answers_person: false,
    }
    for (const [number, state] of ['sent', 'unknown', 'skipped'].entries())
      await db
        .insertInto('turn')
        .values({ ...turn, number, state: state as 'sent', locale: 'zh-TW', closed_at: new Date() })
        .execute()
    expect((await numbers()).conversations).toEqual({ runs: 2, turns: 2, people: 1, completed: 1 })
  })

  it('count the handoffs that were opened in these days, and the replies in them, without tests', async () => {
    const { db } = api.database
    const opened = (columns: object = {}) => insertHandoff(db, { unit_id: api.units.a, ...columns })
    const handoffs = [await opened(), await opened({ opened_at: daysAgo(50) }), await opened({ test: true })]
    await opened({ unit_id: api.units.b })
    for (const handoff_id of handoffs)
      for (const [number, state] of ['sent', 'unknown', 'failed'].entries())
        await insertRow(db, 'turn', {
          ...{ handoff_id, number, state: state as 'sent', first_node: '', last_node: '', locale: 'zh-TW' },
          ...{ unit_id: api.units.a, answers_person: false, closed_at: new Date() },
        })
    expect((await numbers()).handoffs).toEqual({ toPerson: 1, replies: 2 })
    expect((await numbers({ days: '60' })).handoffs).toEqual({ toPerson: 2, replies: 4 })
  })

  it('show the people of the institution by source, stage and interest; few people count under other', async () => {
    const { db } = api.database
    const set = (columns: object, some: string[]) =>
      db.updateTable('subject').set(columns).where('id', 'in', some).execute()
    await set({ acquisition_source: 'chat_embed', acquisition_ref: 'fair', stage: 'lead' }, ids.slice(0, 5))
    await set({ acquisition_source: 'chat_embed', acquisition_ref: 'rare', stage: 'alumni' }, ids.slice(5, 9))
    await set({ tags: ['interest:music', 'cohort:2026'] }, ids.slice(0, 5))
    await set({ tags: ['interest:go', 'interest:chess'] }, ids.slice(5, 9))
    await set({ tags: [`interest:${'x'.repeat(56)}`] }, ids.slice(9))
    await sql`insert into do_not_remind (message_id, subject_id, at)
      select id, ${ids[6]}, now() - interval '45 days' from message limit 1`.execute(db)
    await countAgain()
    const { funnel, interests, alumni } = await numbers()
    const none = { visitor: 0, lead: 0, member: 0, alumni: 0 }
    expect(funnel).toEqual({
      chat_embed: { ...none, lead: 5, alumni: 4 },
      'chat_embed:fair': { ...none, lead: 5 },
      unknown: { ...none, visitor: 1, member: 3 },
    })
    expect(interests).toEqual({ 'interest:music': 5, other: 5 })
    expect(alumni).toEqual({ active: 1, total: 4 })
    expect((await numbers({ days: '60' })).alumni).toEqual({ active: 2, total: 4 })
  })

  it('show people soon where there were none before', async () => {
    const { db } = api.database
    await countAgain()
    await sql`update people_metric set funnel = '{}', alumni = 0`.execute(db)
    expect(await countAllPeople(api.database)).toBe(true)
    expect((await numbers()).funnel).not.toEqual({})
    expect(await countAllPeople(api.database)).toBe(false)
  })

  it('add up to everybody by source, whatever sources and refs are called', async () => {
    const { db } = api.database
    const acquire = (some: string[], acquisition_source: string, acquisition_ref: string | null = null) =>
      db.updateTable('subject').set({ acquisition_source, acquisition_ref }).where('id', 'in', some).execute()
    await acquire(ids.slice(0, 5), 'event:sis', '2026')
    await acquire(ids.slice(5, 7), 'event:sis:2026')
    await acquire(ids.slice(7), `event:${'x'.repeat(60)}`)
    await countAgain()
    const { funnel } = await numbers()
    const peopleOf = (source: string) => {
      const { visitor, lead, member, alumni } = funnel[source]
      return visitor + lead + member + alumni
    }
    const sources = Object.keys(funnel).filter((source) => source !== 'unknown')
    expect(Object.fromEntries(sources.map((source) => [source, peopleOf(source)]))).toEqual({
      'event:sis': 5,
      'event:sis:2026': 5, // a ref: the source of this name has two people
      other: 5,
    })
    await acquire(ids.slice(5), 'event:sis:2026')
    await countAgain()
    expect(Object.keys((await numbers()).funnel).sort()).toEqual(['event:sis', 'event:sis:2026', 'unknown'])
  })

  it('name no source, ref or tag that fewer than five people have, and leave nobody out', async () => {
    const { db } = api.database
    const person = fc.record({
      source: fc.option(fc.constantFrom('import', 'a', 'a:b', 'other', 'x'.repeat(70))),
      ref: fc.option(fc.constantFrom('b', 'c')),
      tag: fc.constantFrom('interest:go', 'interest:chess', 'cohort:1'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(person, { minLength: ids.length, maxLength: ids.length }), async (people) => {
        for (const [n, { source, ref, tag }] of people.entries())
          await db
            .updateTable('subject')
            .set({ acquisition_source: source, acquisition_ref: ref, tags: [tag] })
            .where('id', '=', ids[n]!)
            .execute()
        await countAgain()
        const { funnel, interests } = await numbers()
        const sum = (stages: Record<string, number>) => Object.values(stages).reduce((a, b) => a + b, 0)
        const named = Object.entries<Record<string, number>>(funnel).map(
          ([name, stages]) => [name, sum(stages)] as const,
        )
        const few = [...named, ...Object.entries<number>(interests)].filter(([, count]) => count < 5)
        expect(few.filter(([name]) => name !== 'other' && name !== 'unknown')).toEqual([])
        // Refs are counted under their source as well.
        const { count } = await db
          .selectFrom('subject')
          .select(sql<number>`count(*)::int`.as('count'))
          .executeTakeFirstOrThrow()
        const ofRefs = (name: string) => /^(import|a|a:b|other):[bc]$/.test(name) && name !== 'a:b'
        const own = people.filter(({ source }) => source === 'a:b').length >= 5
        const sources = named.filter(([name]) => !ofRefs(name) && (name !== 'a:b' || own))
        expect(sources.reduce((all, [, people]) => all + people, 0)).toBe(count)
      }),
      { numRuns: 25 },
    )
  })

  it('are for keys of the unit and its approvers', async () => {
    const as = (caller: object) => api.call('getExecutiveMetrics', caller)
    expect(await as({ session: api.sessions.approver })).toMatchObject({ status: 200 })
    expect(await as({ session: api.sessions.editor })).toMatchObject({ status: 403, code: 'forbidden' })
    const named = { key: api.keys.a, query: { unitId: api.units.b } }
    expect(await as(named)).toMatchObject({ status: 404, code: 'not_found' })
  })
})

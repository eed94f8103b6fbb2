import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertAnswer, insertDoNotRemind } from '../../../src/db/queries/answer/answer.ts'
import { insertTopic } from '../../../src/db/queries/catalogue/topic.ts'
import { lockRollUp } from '../../../src/db/queries/metrics/roll-up.ts'
import { setPreferences } from '../../../src/db/queries/subject/consent.ts'
import { markRead } from '../../../src/db/queries/subject/inbox.ts'
import { recomputeMetrics, rollUpNextWaves } from '../../../src/services/metrics/roll-up.ts'
import { countExpired, purgeSlice } from '../../../src/services/retention.ts'
import { insertHandoff } from '../../fixtures/handoffs.ts'
import { insertFinished, insertSent, openedIn, rollUpAll, zoneAtNoon } from '../../fixtures/numbers.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { keepAll } from '../../fixtures/retention.ts'
import { selectRow, selectRows } from '../../fixtures/rows.ts'
import { insertScenario, insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { seedCategory, seedUnit } from '../../fixtures/seed.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)
beforeAll(async () => {
  await seedCategory(database.db, 'news')
})

const dayMs = 86_400_000
const people = 7
const zones = ['Asia/Taipei', 'America/New_York', 'Pacific/Apia']
const told = ['sent', 'unknown']

/** Within the last five days, in minutes before now. */
const instant = fc.integer({ min: 1, max: 5 * 24 * 60 - 1 })
const person = fc.nat({ max: people - 1 })
const delivery = fc.record({
  person,
  channel: fc.constantFrom('chat' as const, 'email' as const),
  state: fc.constantFrom(
    'sent' as const,
    'sent' as const,
    'unknown' as const,
    'failed' as const,
    'skipped' as const,
  ),
})
const message = fc.record({
  minutesAgo: instant,
  deliveries: fc.uniqueArray(delivery, {
    selector: ({ person, channel }) => `${person} ${channel}`,
    maxLength: 8,
  }),
  reminder: fc.option(
    fc.record({
      minutesAgo: instant,
      deliveries: fc.uniqueArray(delivery, {
        selector: ({ person, channel }) => `${person} ${channel}`,
        maxLength: 4,
      }),
    }),
  ),
  acts: fc.array(
    fc.record({ person, act: fc.constantFrom('read', 'answer', 'decline'), minutesAgo: instant }),
    {
      maxLength: 5,
    },
  ),
})
const unit = fc.record({
  zone: fc.constantFrom(...zones),
  messages: fc.array(message, { maxLength: 6 }),
  blocks: fc.uniqueArray(fc.record({ person, minutesAgo: instant }), {
    selector: ({ person }) => person,
    maxLength: 3,
  }),
  topics: fc.uniqueArray(fc.record({ person, minutesAgo: instant }), {
    selector: ({ person }) => person,
    maxLength: 3,
  }),
  categories: fc.uniqueArray(fc.record({ person, minutesAgo: instant }), {
    selector: ({ person }) => person,
    maxLength: 3,
  }),
  runs: fc.array(
    fc.record({ minutesAgo: instant, done: fc.boolean(), test: fc.boolean(), answered: fc.boolean() }),
    { maxLength: 3 },
  ),
  handoffs: fc.array(fc.record({ minutesAgo: instant, test: fc.boolean() }), { maxLength: 3 }),
})
type Drawn = typeof unit extends fc.Arbitrary<infer Of> ? Of : never

/** Drawn once: a unit that has reached somebody. No night of its ends while its numbers are compared with earlier ones. */
const someone = {
  ...fc
    .sample(unit, { numRuns: 50, seed: 20261123 })
    .find(({ messages }) =>
      messages.some((one) => one.deliveries.some(({ state }) => told.includes(state))),
    )!,
  zone: zoneAtNoon(),
}

const dateIn = (zone: string, at: Date) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at)

/** Writes what was drawn, in two halves with a roll-up between them, and returns what a count by hand makes of it. */
async function playOut(
  { zone, messages, blocks, topics, categories, runs, handoffs }: Drawn,
  between: boolean,
) {
  const { db } = database
  const now = Date.now() // one for all: what is before midnight for the rows is before midnight for the count
  const ago = (minutes: number) => new Date(now - minutes * 60_000)
  const unitId = await seedUnit(db, `Unit ${randomUUID()}`)
  await openedIn(db, unitId, zone, 8)
  const tag = await addRecipients(db, people)
  const ids = (
    await db
      .selectFrom('subject')
      .select('id')
      .where(sql<boolean>`tags @> array[${tag}]`)
      .orderBy('id')
      .execute()
  ).map(({ id }) => id)
  const day = (at: Date) => dateIn(zone, at)
  const facts: { date: string; what: string; who?: number; n?: number }[] = []
  const firstReached = new Map<number, string>()
  const lastReached = new Map<number, string>()
  const later: (() => Promise<unknown>)[] = []

  for (const { minutesAgo, deliveries, reminder, acts } of messages) {
    const at = ago(minutesAgo)
    const messageId = await insertSent(db, unitId, reminder ? { remindAt: at } : {})
    const rowsOf = (some: typeof deliveries) =>
      some.map(({ person, ...row }) => ({ ...row, subjectId: ids[person]! }))
    const count = (some: typeof deliveries, when: Date) => {
      const arrived = some.filter(({ state }) => told.includes(state))
      facts.push({ date: day(when), what: 'sent', n: arrived.length })
      const persons = new Set(arrived.map(({ person }) => person))
      for (const who of persons) {
        facts.push({ date: day(when), what: 'person', who })
        const [first, last] = [firstReached.get(who), lastReached.get(who)]
        if (first === undefined || day(when) < first) firstReached.set(who, day(when))
        if (last === undefined || day(when) > last) lastReached.set(who, day(when))
      }
      return persons
    }
    const reached = count(deliveries, at)
    facts.push({ date: day(at), what: 'reached', n: reached.size })
    const waveId = await insertFinished(db, {
      unitId,
      messageId,
      finishedAt: at,
      deliveries: rowsOf(deliveries),
    })
    if (reminder) {
      const again = ago(reminder.minutesAgo)
      count(reminder.deliveries, again)
      const wave = {
        unitId,
        messageId,
        finishedAt: again,
        reminder: true,
        deliveries: rowsOf(reminder.deliveries),
      }
      later.push(() => insertFinished(db, wave))
    }
    const readers = new Set<number>()
    const askers = new Set<number>()
    for (const { person: who, act, minutesAgo } of acts) {
      const subjectId = ids[who]!
      if (act === 'read') later.push(() => markRead(db, subjectId, waveId))
      if (act === 'decline') later.push(() => insertDoNotRemind(db, messageId, subjectId))
      if (act === 'answer' && !askers.has(who)) {
        askers.add(who)
        const pressed = { question: '0', n: 0, o: '0', optionId: '1', data: null, channel: 'chat' as const }
        later.push(() => insertAnswer(db, { messageId, subjectId, ...pressed, at: ago(minutesAgo) }))
        facts.push({ date: day(ago(minutesAgo)), what: 'answers', n: 1 })
      }
      if (reached.has(who)) readers.add(who)
    }
    facts.push({ date: day(at), what: 'read', n: readers.size })
  }

  for (const { person: who, minutesAgo } of blocks) {
    await sql`update address set blocked_at = ${ago(minutesAgo)} where subject_id = ${ids[who]!}`.execute(db)
    facts.push({ date: day(ago(minutesAgo)), what: 'blocked', who })
  }
  const topicId = await insertTopic(db, { unitId, name: { 'zh-TW': '主題' } })
  for (const { person: who, minutesAgo } of topics) {
    const row = { topic_id: topicId, subject_id: ids[who]!, at: ago(minutesAgo) }
    await db.insertInto('topic_unsubscribe').values(row).execute()
    facts.push({ date: day(ago(minutesAgo)), what: 'topics', n: 1 })
  }
  for (const { person: who, minutesAgo } of categories) {
    const choice = { subjectId: ids[who]!, categoryId: 'news', enabled: false }
    await setPreferences(db, [
      { ...choice, channel: 'chat' },
      { ...choice, channel: 'email' },
    ])
    await sql`update preference set changed_at = ${ago(minutesAgo)} where subject_id = ${ids[who]!}`.execute(
      db,
    )
    facts.push({ date: day(ago(minutesAgo)), what: 'categories', who })
  }
  const scenario = await insertScenario(db, { unitId, name: randomUUID() })
  for (const { minutesAgo, done, test, answered } of runs) {
    const at = ago(minutesAgo)
    const ended = done ? { state: 'done' as const, closed_at: at } : {}
    const runId = await insertScenarioRun(db, { scenario, columns: { created_at: at, test, ...ended } })
    if (answered)
      await db
        .insertInto('scenario_answer')
        .values({ run_id: runId, node: 'ask', at, option_id: 'x', text: null, webhook_event_id: null })
        .execute()
    if (done && !test) facts.push({ date: day(at), what: 'completed', n: 1 })
    if (answered && !test) facts.push({ date: day(at), what: 'answers', n: 1 })
  }
  for (const { minutesAgo, test } of handoffs) {
    await insertHandoff(db, { unit_id: unitId, opened_at: ago(minutesAgo), test })
    if (!test) facts.push({ date: day(ago(minutesAgo)), what: 'handoffs', n: 1 })
  }
  if (between) await rollUpAll(db)
  for (const act of later) await act()
  await rollUpAll(db)
  // A night that was closed between the two halves does not know what was done in it later.
  await db.updateTable('day_metric').set({ closed_at: null }).where('unit_id', '=', unitId).execute()
  await rollUpAll(db)

  const sum = (date: string, what: string) =>
    facts
      .filter((fact) => fact.date === date && fact.what === what)
      .reduce((total, { n = 1 }) => total + n, 0)
  const countOf = (date: string, what: string) =>
    facts.filter(
      (fact) => fact.date === date && fact.what === what && (firstReached.get(fact.who!) ?? '~') <= date,
    ).length
  const personsOn = (date: string) =>
    new Set(facts.filter((fact) => fact.what === 'person' && fact.date === date).map(({ who }) => who)).size
  const today = day(new Date())
  const expected = (date: string) => ({
    date,
    sent: sum(date, 'sent'),
    reached: sum(date, 'reached'),
    read: sum(date, 'read'),
    ...(date < today && {
      people: personsOn(date),
      blocked: countOf(date, 'blocked'),
      unsubscribes: sum(date, 'topics') + countOf(date, 'categories'),
      handoffs: sum(date, 'handoffs'),
      answers: sum(date, 'answers'),
      completed: sum(date, 'completed'),
    }),
  })
  const histogram = Map.groupBy(lastReached.values(), (date) => date)
  return { unitId, expected, histogram: [...histogram].map(([date, all]) => [date, all.length]).sort() }
}

async function assertExact({ unitId, expected, histogram }: Awaited<ReturnType<typeof playOut>>) {
  const { db } = database
  const days = await db
    .selectFrom('day_metric')
    .select([
      'date',
      'sent',
      'reached',
      'read',
      'people',
      'blocked',
      'unsubscribes',
      'handoffs',
      'answers',
      'completed',
      'closed_at',
    ])
    .where('unit_id', '=', unitId)
    .orderBy('date')
    .execute()
  expect(days.length).toBeGreaterThanOrEqual(8)
  // A day that ended within the last minutes is not closed yet.
  for (const { closed_at, ...day } of days)
    expect(closed_at === null ? { ...expected(day.date), people: null } : day).toMatchObject(
      closed_at === null ? { sent: day.sent, reached: day.reached, read: day.read } : expected(day.date),
    )
  expect(days.filter(({ closed_at }) => closed_at === null).length).toBeLessThanOrEqual(2)
  const kept = await db
    .selectFrom('contact_day')
    .select(['date', 'people'])
    .where('unit_id', '=', unitId)
    .where('people', '>', 0)
    .orderBy('date')
    .execute()
  expect(kept.map(({ date, people }) => [date, people])).toEqual(histogram)
}

describe('the numbers of a unit', () => {
  it('are those that a count by hand of the rows makes, whatever happened and in whatever order', async () => {
    const property = fc.asyncProperty(unit, fc.boolean(), async (drawn, between) =>
      assertExact(await playOut(drawn, between)),
    )
    await fc.assert(property, { numRuns: 25 })
  })

  it('are the same when they are recomputed', async () => {
    const { db } = database
    const played = await playOut(someone, false)
    const again = (days: number) =>
      recomputeMetrics(
        db,
        'operator:cli',
        { ...keepAll, RETENTION_RUNS_DAYS: 30 },
        { unitId: played.unitId, days },
      )
    await expect(again(30)).rejects.toMatchObject({ code: 'validation_error' })
    expect((await again(20)).sends).toBeGreaterThan(0)
    await rollUpAll(db)
    await assertExact(played)
  })

  it('stay when a person is erased; those who were reached before the retention are people no more', async () => {
    const { db } = database
    const played = await playOut(someone, false)
    const days = () =>
      db
        .selectFrom('day_metric')
        .select(['date', 'sent', 'reached', 'read', 'people'])
        .where('unit_id', '=', played.unitId)
        .orderBy('date')
        .execute()
    const counted = await days()
    const first = await selectRow(db, 'contact', { unit_id: played.unitId }, ['subject_id'], 'subject_id')
    await db.deleteFrom('subject').where('id', '=', first.subject_id).execute()
    await recomputeMetrics(db, 'operator:cli', keepAll, { unitId: played.unitId, days: 20 })
    await rollUpAll(db)
    expect(await days()).toEqual(counted)

    await sql`update contact set last_on = last_on - 40 where unit_id = ${played.unitId}`.execute(db)
    await sql`update contact_day set date = date - 40 where unit_id = ${played.unitId}`.execute(db)
    const retention = { ...keepAll, RETENTION_DELIVERIES_DAYS: 30 }
    const old = (await countExpired(db, retention)).contacts!
    expect(old).toBe(played.histogram.reduce((sum, [, n]) => sum + Number(n), 0) - 1)
    expect((await purgeSlice(db, retention, new Map())).contacts).toBe(old)
    const left = await selectRows(db, 'contact_day', { unit_id: played.unitId }, ['people'])
    expect(left.reduce((sum, { people }) => sum + people, 0)).toBe(1)
  })

  it('are written by one process at a time, and the other finds nothing to do', async () => {
    const { db } = database
    const unitId = await seedUnit(db, 'Busy')
    const messageId = await insertSent(db, unitId)
    await insertFinished(db, { unitId, messageId, finishedAt: new Date(Date.now() - dayMs), deliveries: [] })
    await db.transaction().execute(async (trx) => {
      expect(await lockRollUp(trx)).toBe(true)
      expect(await rollUpNextWaves({ db })).toBe(false)
    })
    expect(await rollUpNextWaves({ db })).toBe(true)
  })
})

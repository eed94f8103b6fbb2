import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PatternQuestion } from '../../../src/contract/patterns/pattern.ts'
import { countNextPattern } from '../../../src/services/metrics/roll-up.ts'
import { startApi } from '../../fixtures/api.ts'
import { insertFinished, insertSent } from '../../fixtures/numbers.ts'
import { type InsertedPattern, insertPattern } from '../../fixtures/patterns.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { insertRow } from '../../fixtures/rows.ts'
import { insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { forFile } from '../../harness/for-file.ts'

const people = 6
let ids: string[]
const api = forFile(startApi)
beforeAll(async () => {
  const { db } = api.database
  const tag = await addRecipients(db, people)
  const tagged = db.selectFrom('subject').select('id').where(sql<boolean>`tags @> array[${tag}]`)
  ids = (await tagged.orderBy('id').execute()).map(({ id }) => id)
})

const question = (id: string): PatternQuestion => ({
  ...{ id, text: { 'zh-TW': '要嗎？' } },
  options: ['yes', 'no'].map((option) => ({ id: option, label: { 'zh-TW': option } })),
})

const someone = fc.nat({ max: people - 1 })
/** What each person does, of those who do anything: how far they get in the questions, and what they say. */
const drawn = fc.record({
  survey: fc.boolean(),
  invitations: fc.array(
    fc.uniqueArray(
      fc.record({ person: someone, state: fc.constantFrom('sent', 'unknown', 'failed', 'skipped') }),
      { selector: ({ person }) => person, maxLength: people },
    ),
    { maxLength: 3 },
  ),
  begunByOthers: fc.uniqueArray(someone, { maxLength: 2 }),
  testers: fc.uniqueArray(someone, { maxLength: 1 }),
  acts: fc.uniqueArray(
    fc.record({
      person: someone,
      says: fc.constantFrom('yes', 'no'),
      place: fc.constantFrom(null, 'registered', 'waitlisted', 'withdrawn', 'not_admitted'),
      last: fc.boolean(),
    }),
    { selector: ({ person }) => person, maxLength: people },
  ),
})
type Drawn = typeof drawn extends fc.Arbitrary<infer Of> ? Of : never

/** Writes what was drawn, and returns what a count by hand makes of it. */
async function playOut({ survey, invitations, begunByOthers, testers, acts }: Drawn) {
  const { db } = api.database
  const questions = JSON.stringify([question('join'), question('last')])
  const columns = { questions, ...(survey ? { type: 'survey' as const } : { attendance: 'join' }) }
  const pattern = await insertPattern(db, columns, api.units.a)
  const invited = new Set(begunByOthers)
  for (const deliveries of invitations) {
    const messageId = await insertSent(db, api.units.a)
    const rows = deliveries.map(({ person, state }) => ({
      ...{ subjectId: ids[person]!, channel: 'chat' as const, state: state as 'sent' },
    }))
    const finishedAt = new Date()
    await insertFinished(db, { unitId: api.units.a, messageId, finishedAt, deliveries: rows })
    await insertRow(db, 'pattern_invitation', { pattern_id: pattern.id, message_id: messageId })
    for (const { person, state } of deliveries)
      if (state === 'sent' || state === 'unknown') invited.add(person)
  }
  const begin = (person: number, more: object) =>
    insertScenarioRun(db, { scenario: pattern.scenario, subjectId: ids[person]!, columns: more })
  for (const person of begunByOthers) await begin(person, {})
  for (const person of testers) await begin(person, { test: true, occasion: 'test' })
  let ended = 0
  for (const { person, says, place, last } of acts) {
    await answer(pattern, person, 'join', says)
    if (survey && last) await answer(pattern, person, 'last', says)
    if (!survey && place !== null) await stand(pattern, person, place)
    if (survey ? last : says === 'no' || place !== null) ended++
  }
  return { pattern, expected: { invited: invited.size, completed: Math.min(invited.size, ended) } }
}

async function answer(pattern: InsertedPattern, person: number, question: string, option_id: string) {
  const row = { pattern_id: pattern.id, subject_id: ids[person]!, question, option_id }
  await api.database.db.insertInto('pattern_answer').values(row).execute()
}

async function stand(pattern: InsertedPattern, person: number, state: string) {
  await sql`insert into registration (pattern_id, place, subject_id, state)
    values (${pattern.id}, ${person + 1}, ${ids[person]}, ${state})`.execute(api.database.db)
}

async function countAll(): Promise<void> {
  while (await countNextPattern(api.database)) {}
}

const completion = async (days = '7') =>
  (await api.call('getExecutiveMetrics', { key: api.keys.a, query: { days } })).body.completion

describe('the completion of patterns', () => {
  it('is what a count by hand makes of it, and as the report of the pattern says', async () => {
    const property = fc.asyncProperty(drawn, async (of) => {
      const { pattern, expected } = await playOut(of)
      await countAll()
      const { [pattern.id]: counted } = await completion()
      const { body: report } = await api.call('getPatternReport', { key: api.keys.a, id: pattern.id })
      expect(counted).toEqual({ ...expected, rate: report.completionRate })
      expect(report.invited).toBe(expected.invited)
      const rate = expected.invited === 0 ? null : expected.completed / expected.invited
      if (rate === null) expect(report.completionRate).toBeNull()
      else expect(report.completionRate).toBeCloseTo(rate, 4)
    })
    await fc.assert(property, { numRuns: 25 })
  })

  it('is counted again after minutes, until a day after the deadline', async () => {
    const { db } = api.database
    const { pattern } = await playOut({
      ...{ survey: false, invitations: [], begunByOthers: [0, 1], testers: [], acts: [] },
    })
    await countAll()
    const ofThis = async () => (await completion())[pattern.id]
    expect(await ofThis()).toEqual({ invited: 2, completed: 0, rate: 0 })
    await answer(pattern, 0, 'join', 'no')
    await countAll()
    expect(await ofThis()).toMatchObject({ completed: 0 })
    const later = (time: string) =>
      sql`update pattern_metric set counted_at = counted_at - ${time}::interval`.execute(db)
    await later('5 minutes')
    await countAll()
    expect(await ofThis()).toEqual({ invited: 2, completed: 1, rate: 0.5 })

    await answer(pattern, 1, 'join', 'no')
    await sql`update pattern set deadline = now() - interval '2 days' where id = ${pattern.id}`.execute(db)
    await later('3 days')
    await countAll()
    expect(await ofThis()).toMatchObject({ completed: 2 })
    await db.deleteFrom('pattern_answer').where('pattern_id', '=', pattern.id).execute()
    await later('1 hour')
    await countAll()
    expect(await ofThis()).toMatchObject({ completed: 2 })
  })

  it('is of the patterns of the unit that were open in these days', async () => {
    const { db } = api.database
    const over = await insertPattern(db, { deadline: new Date(Date.now() - 10 * 86_400_000) }, api.units.a)
    const other = await insertPattern(db, {}, api.units.b)
    await countAll()
    expect(await completion('7')).not.toHaveProperty(over.id)
    expect(await completion('30')).toHaveProperty(over.id)
    expect(await completion('30')).not.toHaveProperty(other.id)
  })
})

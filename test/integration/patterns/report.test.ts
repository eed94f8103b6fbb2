import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PatternQuestion } from '../../../src/contract/patterns/pattern.ts'
import { countNamed } from '../../../src/db/queries/audience/count.ts'
import { purgeSlice } from '../../../src/services/retention.ts'
import { startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { type InsertedPattern, insertPattern, walkOn } from '../../fixtures/patterns.ts'
import { keepAll } from '../../fixtures/retention.ts'
import { selectRow } from '../../fixtures/rows.ts'
import { insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { forFile } from '../../harness/for-file.ts'

const join: PatternQuestion = {
  ...{ id: 'join', text: { 'zh-TW': '要嗎？' } },
  options: ['yes', 'no'].map((id) => ({ id, label: { 'zh-TW': id } })),
}

let pattern: InsertedPattern
let people: string[]
const api = forFile(startApi)
beforeAll(async () => {
  const { db } = api.database
  pattern = await insertPattern(db, { questions: JSON.stringify([join]), attendance: 'join' }, api.units.a)
  await db
    .insertInto('subject')
    .values(['r1', 'r2'].map((uid) => ({ uid })))
    .execute()
  const label = { 'zh-TW': '開始' }
  const actions = [{ kind: 'jumpScenario', label, scenarioId: pattern.scenario.id }]
  await insertSentMessage(api, { ...newMessage, messages: [{ kind: 'buttons', text: label, actions }] })
  people = (await db.selectFrom('subject').select('id').orderBy('id').execute()).map(({ id }) => id)
})

const report = async () => (await api.call('getPatternReport', { key: api.keys.a, id: pattern.id })).body

/** A run that the person began, who answered so. */
async function answers(subjectId: string, optionId: string): Promise<string> {
  const { db } = api.database
  const columns = { node: 'take', started_by: `recipient:${subjectId}` }
  const id = await insertScenarioRun(db, { scenario: pattern.scenario, subjectId, columns })
  await db
    .insertInto('pattern_answer')
    .values({ pattern_id: pattern.id, subject_id: subjectId, question: 'join', option_id: optionId })
    .execute()
  if (optionId === 'yes') await walkOn(api.services, id)
  return id
}

describe('the report of a pattern', () => {
  it('counts people once: who was told, who read, who answered what, who has a place', async () => {
    const invited = people.length
    const nothing = {
      invited,
      reached: invited,
      read: 0,
      answered: 0,
      registered: 0,
      waitlisted: 0,
      withdrawn: 0,
    }
    expect(await report()).toEqual({
      ...{
        ...nothing,
        declined: 0,
        undecided: 0,
        stopped: 0,
        byOption: { join: { yes: 0, no: 0 } },
        completionRate: 0,
      },
    })
    await answers(people[0]!, 'yes')
    await answers(people[1]!, 'yes')
    await answers(people[2]!, 'no')
    expect(await report()).toEqual({
      ...{
        ...nothing,
        read: 3,
        answered: 3,
        registered: 1,
        waitlisted: 1,
        declined: 1,
        undecided: 0,
        stopped: 0,
      },
      ...{
        byOption: { join: { yes: 2, no: 1 } },
        completionRate: Math.round((3 / invited) * 10_000) / 10_000,
      },
    })
    const begun = await insertScenarioRun(api.database.db, { scenario: pattern.scenario })
    expect(await report()).toMatchObject({ invited: invited + 1, reached: invited })
    expect((await scenarioRunRow(api.database.db, begun)).node).toBe('ask')
  })

  it('has the same numbers after an erasure and after retention', async () => {
    const { db } = api.database
    const before = await report()
    const waves = db.selectFrom('wave').select('id').orderBy('id')
    const { id: wave } = await waves.executeTakeFirstOrThrow()
    await sql`insert into inbox_read (wave_id, subject_id) values (${wave}, ${people[3]})`.execute(db)
    expect(await report()).toMatchObject({ read: before.read + 1 })
    const { uid } = await selectRow(db, 'subject', { id: people[3]! }, ['uid'])
    await api.call('eraseSubject', { key: api.keys.administrative, id: uid })
    expect(await report()).toEqual({ ...before, read: before.read + 1 })

    await sql`update pattern set deadline = now() - interval '400 days' where id = ${pattern.id}`.execute(db)
    const retention = { ...keepAll, RETENTION_RUNS_DAYS: 365 }
    expect(await purgeSlice(db, retention, new Map())).toMatchObject({ registrations: 2, patternAnswers: 3 })
    expect(await report()).toEqual({ ...before, read: before.read + 1 })
  })
})

describe('who takes part', () => {
  it('is listed for those who may read about people, and selected by the history of an audience', async () => {
    const { db } = api.database
    const other = await insertPattern(db, {}, api.units.a)
    const id = await insertScenarioRun(db, {
      ...{ scenario: other.scenario, subjectId: people[0]!, columns: { node: 'take' } },
    })
    await walkOn(api.services, id)
    expect((await api.call('listPatternAnswers', { key: api.keys.a, id: other.id })).code).toBe('forbidden')
    const { items } = (await api.call('listPatternAnswers', { key: api.keys.individual, id: other.id })).body
    expect(items).toEqual([
      {
        ...{ subjectId: people[0], uid: expect.any(String), displayName: null },
        ...{ position: 1, state: 'registered', runId: id, answers: [], at: expect.any(String) },
      },
    ])
    const audit = db.selectFrom('audit').select(['action', 'details']).where('object_id', '=', other.id)
    expect(await audit.execute()).toEqual([{ action: 'read', details: { what: 'answers' } }])
    const history = [{ kind: 'registered' as const, patternInstanceId: other.id }]
    const selected = (unitId: string) => countNamed(db, { unitId, audience: { kind: 'query', history } }, 10)
    expect([await selected(api.units.a), await selected(api.units.b)]).toEqual([1, 0])
  })
})

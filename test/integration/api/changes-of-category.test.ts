import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OperationId } from '../../../src/contract/endpoints.ts'
import { startApi } from '../../fixtures/api.ts'
import { newSchedule } from '../../fixtures/new-schedule.ts'
import { insertPattern, walkOn } from '../../fixtures/patterns.ts'
import { insertScenario, insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { forFile } from '../../harness/for-file.ts'

/** Changes of what is there already, which name no category: each needs the right to its category all the same. */

const api = forFile(startApi)
const ids = {} as Record<'scenario' | 'run' | 'pattern' | 'schedule' | 'binding', string>
const keys = {} as Record<'elsewhere' | 'queriesOnly' | 'individual', string>

beforeAll(async () => {
  const { db } = api.database
  const unitId = api.units.a
  const scenario = await insertScenario(db, {
    ...{ unitId, categoryId: 'news', content: { farewell: { 'zh-TW': '再會' } } },
  })
  ids.scenario = scenario.id
  ids.run = await insertScenarioRun(db, { scenario })
  const create = async (id: OperationId, body: object) =>
    (await api.call(id, { key: keys.individual, body })).body.id
  keys.elsewhere = await api.newKey(unitId, { categories: ['manual'], individualTargeting: true })
  keys.queriesOnly = await api.newKey(unitId)
  keys.individual = await api.newKey(unitId, { individualTargeting: true })
  const pattern = await insertPattern(db, {}, unitId)
  for (let n = 0; n < 2; n++) {
    const columns = { node: 'take' }
    await walkOn(api.services, await insertScenarioRun(db, { scenario: pattern.scenario, columns }))
  }
  ids.pattern = pattern.id
  ids.schedule = await create('createSchedule', newSchedule)
  ids.binding = await create('createEventBinding', {
    ...{ source: 'sis', type: 'moved', categoryId: 'news', audience: { kind: 'event_subjects' } },
  })
})

const changes: [OperationId, keyof typeof ids, object?][] = [
  ['putScenario', 'scenario', { state: 'paused' }],
  ['putScenario', 'scenario', { state: 'active' }],
  ['putScenario', 'scenario', { state: 'retired' }],
  ['cancelRuns', 'scenario'],
  ['cancelRun', 'run'],
  ['patchPattern', 'pattern', { capacity: 2 }],
  ['patchPattern', 'pattern', { deadline: '2040-12-01T00:00:00Z' }],
  ['editSchedule', 'schedule', { enabled: false }],
  ['editSchedule', 'schedule', { enabled: true }],
  ['deleteSchedule', 'schedule'],
  ['updateEventBinding', 'binding', { keyIds: ['new'] }],
  ['replayEventBinding', 'binding'],
]

/** Every row of what could change. */
async function rows() {
  const { rows: list } = await sql`
    select 'scenario' as of, to_jsonb(one) as row from scenario as one union all
    select 'run', to_jsonb(one) from scenario_run as one union all
    select 'pattern', to_jsonb(one) from pattern as one union all
    select 'schedule', to_jsonb(one) from schedule as one union all
    select 'binding', to_jsonb(one) from event_binding_version as one
    order by 1, 2`.execute(api.database.db)
  return list
}

describe('a key without the category', () => {
  it.each(changes)('may not %s (%s, %j)', async (operation, object, body) => {
    const before = await rows()
    const answer = await api.call(operation, { key: keys.elsewhere, id: ids[object], ...(body && { body }) })
    expect([answer.code, await rows()]).toEqual(['category_not_allowed', before])
  })
})

describe('a key without individual targeting', () => {
  it.each([
    ['putScenario', 'scenario', { state: 'retired' }],
    ['patchPattern', 'pattern', { capacity: 2 }],
  ] as const)('may not %s (%s, %j), which writes to people', async (operation, object, body) => {
    const before = await rows()
    const answer = await api.call(operation, { key: keys.queriesOnly, id: ids[object], body })
    expect([answer.code, await rows()]).toEqual(['individual_targeting_disabled', before])
    const session = api.sessions.editor
    expect((await api.call(operation, { session, id: ids[object], body })).code).toBe(null)
  })
})

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { tap } from '../../../src/channels/chat/taps.ts'
import type { WebhookEvent } from '../../../src/db/queries/event/webhook.ts'
import { endRuns } from '../../../src/db/queries/scenario-run/end.ts'
import { retireNextRuns } from '../../../src/services/scenario-runs/retire-runs.ts'
import { startByKeyword } from '../../../src/services/scenario-runs/start-by-person.ts'
import { stopTracing } from '../../../src/tracing/spans.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { recordInMemory } from '../../fixtures/recorded-spans.ts'
import { insertRow, updateRows } from '../../fixtures/rows.ts'
import {
  type InsertedScenario,
  insertScenario,
  insertScenarioRun,
  scenarioRunRow,
} from '../../fixtures/scenario-rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { event, postback, startWebhookApi } from '../../fixtures/webhooks.ts'
import { forFile } from '../../harness/for-file.ts'

let scenario: InsertedScenario
const api = forFile(startWebhookApi)
beforeEach(async () => {
  await api.database.db.deleteFrom('scenario_trigger').execute()
  scenario = await insertScenario(api.database.db, { unitId: api.units.a })
})

function runs() {
  return api.database.db
    .selectFrom('scenario_run')
    .selectAll()
    .where('scenario_id', '=', scenario.id)
    .orderBy('id')
    .execute()
}

async function age(seconds: number): Promise<void> {
  const created_at = new Date(Date.now() - seconds * 1_000)
  await updateRows(api.database.db, 'scenario_run', { scenario_id: scenario.id }, { created_at })
}

async function lastOutcome() {
  return (await api.outcomes()).at(-1)
}

describe('the button of a message', () => {
  async function invitation(scenarioId: string): Promise<() => Promise<void>> {
    const label = { 'zh-TW': '開始' }
    const actions = [{ kind: 'jumpScenario', label, scenarioId }]
    const messages = [{ kind: 'buttons', text: label, actions }]
    const { id } = await insertSentMessage(api, { ...newMessage, messages })
    return () => api.happens(postback('Us1', tap({ m: id }, 0, '0')))
  }

  it('starts a run, once for each event, and restarts it after a minute', async () => {
    const press = await invitation(scenario.id)
    await press()
    expect(await lastOutcome()).toBe('started')
    await press()
    expect(await runs()).toMatchObject([{ state: 'running', node: 'ask', test: false }])
    await age(61)
    await press()
    expect(await runs()).toMatchObject([
      { state: 'cancelled', reason: 'restarted' },
      { state: 'running', reason: null },
    ])
    const starts = (await runs()).map((run) => run.started_by_webhook)
    expect(new Set(starts).size).toBe(2)
  })

  it('puts the run into the trace in which the event was applied', async () => {
    const press = await invitation(scenario.id)
    const spans = recordInMemory()
    await press().finally(stopTracing)
    const [applied] = spans.filter(({ name }) => name === 'webhook apply')
    expect(applied).toMatchObject({
      ended: true,
      attributes: { 'carillon.source': 'chat', 'carillon.outcome': 'started' },
    })
    expect(await runs()).toMatchObject([{ traceparent: applied!.traceparent }])
  })

  it('starts nothing of another unit, or that is not active', async () => {
    const foreign = await insertScenario(api.database.db, { unitId: api.units.a })
    const press = await invitation(foreign.id)
    const moved = api.database.db.updateTable('scenario').set({ unit_id: api.units.b })
    await moved.where('id', '=', foreign.id).execute()
    await press()
    expect(await lastOutcome()).toBe('not_active')
    await updateRows(api.database.db, 'scenario', { id: scenario.id }, { state: 'paused' })
    await (await invitation(scenario.id))()
    expect(await lastOutcome()).toBe('not_active')
    expect(await runs()).toEqual([])
  })
})

describe('a keyword', () => {
  async function type(text: string) {
    const { id: subjectId } = await api.person('s1')
    const now = new Date()
    const typed: WebhookEvent = {
      ...{ id: randomUUID(), channel: 'chat', type: 'message', address: 'Us1', subjectId },
      ...{ occurredAt: now, receivedAt: now, payload: {} },
    }
    return api.database.db.transaction().execute((trx) => startByKeyword(trx, typed, subjectId, text))
  }

  it('starts its scenario, however it is typed, and once if it is sent twice, but again once that has ended', async () => {
    await api.database.db
      .insertInto('scenario_trigger')
      .values({ trigger: 'keyword:help 1', scenario_id: scenario.id })
      .execute()
    expect(await type('helps')).toBeNull()
    const started = await type(' ＨＥＬＰ 1 ')
    const { id } = (await runs())[0]!
    expect(started).toEqual({ outcome: 'started', wakes: [{ id, name: 'started' }] })
    expect(await type('help 1')).toEqual({ outcome: 'repeated' })
    await api.database.db
      .transaction()
      .execute((trx) => endRuns(trx, { ids: [id] }, { state: 'done', reason: null }))
    expect(await type('help 1')).toMatchObject({ outcome: 'started' })
  })
})

describe('a follow', () => {
  it('starts its scenario once a day for a person', async () => {
    await insertRow(api.database.db, 'scenario_trigger', { trigger: 'follow', scenario_id: scenario.id })
    await api.happens(event('follow', 'Us1'))
    await api.happens(event('unfollow', 'Us1'))
    await api.happens(event('follow', 'Us1'))
    expect(await runs()).toHaveLength(1)
  })

  it('also counts for an address that is bound within a day of it', async () => {
    await insertRow(api.database.db, 'scenario_trigger', { trigger: 'follow', scenario_id: scenario.id })
    const address = `U${randomUUID().replaceAll('-', '')}`
    await api.happens(event('follow', address))
    expect(await runs()).toEqual([])
    const bind = () =>
      api.call('bindAddress', { key: api.keys.administrative, id: 'newcomer', body: { address } })
    expect((await bind()).code).toBeNull()
    await bind()
    expect(await runs()).toMatchObject([{ state: 'running' }])
  })
})

describe('a retired scenario', () => {
  it('ends its open runs, or lets them say farewell first', async () => {
    const { db } = api.database
    const silent = await insertScenarioRun(db, { scenario })
    await db.updateTable('scenario').set({ state: 'retired' }).where('id', '=', scenario.id).execute()
    expect(await retireNextRuns(api.services)).toBe(true)
    expect(await scenarioRunRow(db, silent)).toMatchObject({ state: 'cancelled', reason: 'retired' })

    const farewell = { 'zh-TW': '再見', en: 'Farewell' }
    const polite = await insertScenario(db, { unitId: api.units.a, content: { farewell } })
    const id = await insertScenarioRun(db, { scenario: polite })
    await db.updateTable('scenario').set({ state: 'retired' }).where('id', '=', polite.id).execute()
    expect(await retireNextRuns(api.services)).toBe(true)
    expect(await scenarioRunRow(db, id)).toMatchObject({ closed_at: null, reason: 'retired', version: 2 })
    const turns = await db.selectFrom('turn').selectAll().where('run_id', '=', id).execute()
    expect(turns).toMatchObject([
      {
        ...{ number: 1, state: 'pending' },
        says: [{ node: '(farewell)', messages: [{ kind: 'text', text: farewell }] }],
      },
    ])
    expect(await retireNextRuns(api.services)).toBe(false)
  })

  it('says to each run the farewell of its own version, and nothing to one whose version has none', async () => {
    const { db } = api.database
    const farewell = { 'zh-TW': '再見' }
    const long = await insertScenario(db, { unitId: api.units.a })
    const older = await insertScenarioRun(db, { scenario: long })
    await db
      .insertInto('scenario_version')
      .columns([
        'scenario_id',
        'version',
        'state',
        'name',
        'category_id',
        'content',
        'jumps',
        'created_by',
        'authors',
      ])
      .expression((from) =>
        from
          .selectFrom('scenario_version')
          .select(['scenario_id', sql<number>`2`.as('version'), sql`'replaced'`.as('state'), 'name'])
          .select(['category_id', sql`content || ${JSON.stringify({ farewell })}::jsonb`.as('content')])
          .select(['jumps', 'created_by', 'authors'])
          .where('scenario_id', '=', long.id),
      )
      .execute()
    const newer = await insertScenarioRun(db, { scenario: long, columns: { version_number: 2 } })
    await db.updateTable('scenario').set({ state: 'retired' }).where('id', '=', long.id).execute()
    expect(await retireNextRuns(api.services)).toBe(true)
    const turns = db.selectFrom('turn').select(['run_id', 'says']).where('run_id', 'in', [older, newer])
    expect(await turns.execute()).toEqual([
      { run_id: newer, says: [{ node: '(farewell)', messages: [{ kind: 'text', text: farewell }] }] },
    ])
    expect(await scenarioRunRow(db, older)).toMatchObject({ state: 'cancelled', reason: 'retired' })
  })
})

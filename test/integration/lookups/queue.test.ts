import { beforeAll, expect, it } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import type { ScenarioContent } from '../../../src/contract/scenarios/content.ts'
import { setDefaultLimit } from '../../../src/db/queries/quota/ledger.ts'
import { workflowIdOf } from '../../../src/domain/run/run-kinds.ts'
import { lookupTaskQueue } from '../../../src/domain/run/temporal-names.ts'
import { registerProducer } from '../../fixtures/lookup-endpoint.ts'
import { openRuns } from '../../fixtures/open-runs.ts'
import { producer } from '../../fixtures/producer.ts'
import {
  type InsertedScenario,
  insertScenario,
  insertScenarioRun,
  scenarioRunRow,
} from '../../fixtures/scenario-rows.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { refuseWrites } from '../../harness/write-refusal.ts'

const runs = forFile(openRuns)
beforeAll(async () => {
  await setDefaultLimit(runs.db, { scope: 'pool', channel: 'chat', limit: 1_000 })
  await registerProducer(runs.db, 'http://127.0.0.1:*')
  await runs.startWorker()
})

/** Asks this address, and says whether it knew. */
function asks(url: string): ScenarioContent {
  const says = (id: string, chinese: string) => ({
    ...{ id, kind: 'message' as const, messages: [{ kind: 'text' as const, text: { 'zh-TW': chinese } }] },
  })
  return {
    nodes: [
      { id: 'ask', kind: 'lookup', method: 'GET', url, variables: [] },
      says('known', '{{ order.status }}'),
      says('unknown', '{{ lookup_error }}'),
      { id: 'end', kind: 'end' },
    ],
    edges: [
      { from: 'ask', to: 'known' },
      { from: 'ask', to: 'unknown', when: { kind: 'error' } },
      { from: 'known', to: 'end' },
      { from: 'unknown', to: 'end' },
    ],
  }
}

async function begin(scenario: InsertedScenario): Promise<string> {
  const id = await insertScenarioRun(runs.db, { scenario, columns: { node: 'ask' } })
  runs.wake('scenario', id, [{ name: 'started' }])
  return id
}

const ends = (id: string, last: object) =>
  eventually(async () => expect(await scenarioRunRow(runs.db, id)).toMatchObject({ state: 'done', ...last }))

it('a slow producer holds up no turn, and no other producer', async () => {
  const [slow, quick] = [await producer(), await producer()]
  // Three rounds of all calls that an origin may have at once, each to its time-out.
  const many = 3 * limits.lookupsAtOnce
  await slow.fault({ delayMs: 60_000, times: many })
  const scenario = await insertScenario(runs.db, { content: asks(slow.orders) })
  const held = await Promise.all(Array.from({ length: many }, () => begin(scenario)))
  await eventually(async () =>
    expect((await slow.received()).length).toBeGreaterThanOrEqual(limits.lookupsAtOnce),
  )

  const told = await begin(await insertScenario(runs.db, { content: asks(quick.orders) }))
  await ends(told, { node: 'end', lookup_error: null })
  const turn = await runs.db.selectFrom('turn').select('state').where('run_id', '=', told).executeTakeFirst()
  expect(turn).toEqual({ state: 'sent' })
  const waiting = await runs.db
    .selectFrom('scenario_run')
    .select('id')
    .where('id', 'in', held)
    .where('node', '=', 'ask')
    .execute()
  expect(waiting.length).toBeGreaterThan(0)

  const handle = runs.temporal.client.workflow.getHandle(workflowIdOf('scenario', told))
  const { events } = await handle.fetchHistory()
  const queues = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled?.activityType?.name === 'lookUp' ? [scheduled.taskQueue?.name] : [],
  )
  expect(queues).toEqual([lookupTaskQueue])
  await slow.stop()
})

it('an outcome that Postgres does not take is a time-out, and the producer is asked once', async () => {
  const far = await producer()
  const scenario = await insertScenario(runs.db, { content: asks(far.orders) })
  const restore = await refuseWrites(runs.db, {
    event: 'update',
    table: 'lookup',
    row: "new.outcome = 'found'",
    code: '57P01', // as a server that shuts down
  })
  try {
    await ends(await begin(scenario), { node: 'end', lookup_error: 'timeout' })
  } finally {
    await restore()
  }
  expect(await far.received()).toHaveLength(1)
})

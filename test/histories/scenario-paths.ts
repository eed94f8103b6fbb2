import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProducerFault } from '../../dev/producer/faults.ts'
import { startProducer } from '../../dev/producer/server.ts'
import type { ScenarioContent } from '../../src/contract/scenarios/content.ts'
import { closeHandoff } from '../../src/db/queries/handoff/handoff.ts'
import { endRuns } from '../../src/db/queries/scenario-run/end.ts'
import { retireRuns } from '../../src/db/queries/scenario-run/farewell.ts'
import { releaseTurns } from '../../src/db/queries/scenario-run/retry.ts'
import { workflowIdOf } from '../../src/domain/run/run-kinds.ts'
import { wakePatternRuns } from '../../src/services/patterns/wake-runs.ts'
import {
  askedFor,
  makeConversation,
  pressByLink,
  storeEvent,
  tapOf,
  tapOption,
  text,
  typeText,
  workOff,
} from '../fixtures/conversations.ts'
import { registerProducer } from '../fixtures/lookup-endpoint.ts'
import { type InsertedPattern, insertPattern } from '../fixtures/patterns.ts'
import { selectRow } from '../fixtures/rows.ts'
import { waitForRunAt, waitForRunEnd, waitForRunTimer } from '../fixtures/run-waits.ts'
import type { RunsFixture } from '../fixtures/runs.ts'
import { insertScenario, insertScenarioRun, scenarioRunRow } from '../fixtures/scenario-rows.ts'
import { eventKeys } from '../fixtures/services.ts'
import { eventually } from '../harness/eventually.ts'

/** What stands in conversations and must not stand in Temporal: texts, labels, variables, what is typed and found. */
export const saidInScenarios = [
  '您好',
  '您要參加嗎',
  '不要',
  '謝謝您的耐心',
  '正本已收到',
  'A-1001',
  '候補名單',
]

/** Every path a run of a scenario can take. */
export const scenarioPaths: Record<string, (runs: RunsFixture) => Promise<string>> = {
  async 'scenario-greets'(runs) {
    const { id } = await begin(runs, sayAndEnd({ id: 'hello', kind: 'message', messages: [text('您好')] }))
    return waitForRunEnd(runs, id, 'done')
  },

  async 'scenario-answered'(runs) {
    const run = await begin(runs)
    await waitForRunAt(runs, run.id, 'ask', 'waiting')
    await tapOption(runs, run, '0')
    return waitForRunEnd(runs, run.id, 'done')
  },

  async 'scenario-answered-on-page'(runs) {
    const run = await begin(runs)
    await waitForRunAt(runs, run.id, 'ask', 'waiting')
    await pressByLink(runs, run.id, { n: 1, o: '1' })
    return waitForRunEnd(runs, run.id, 'done')
  },

  async 'scenario-text-typed'(runs) {
    const edges = conversationEdges({ kind: 'text' })
    const run = await begin(runs, { edges })
    await waitForRunAt(runs, run.id, 'ask', 'waiting')
    await typeText(runs, run, '正本已收到')
    return waitForRunEnd(runs, run.id, 'done')
  },

  async 'scenario-timed-out'(runs) {
    const { id } = await begin(runs, askedFor(1))
    return waitForRunEnd(runs, id, 'done')
  },

  /** What the person did in time is worked off only after the time-out: it counts. */
  async 'scenario-heard-after-its-time'(runs) {
    const run = await begin(runs, askedFor(1))
    await waitForRunAt(runs, run.id, 'ask', 'waiting')
    const event = await storeEvent(runs, run.address, tapOf(run.id, '0'))
    await eventually(async () => {
      const { deadline } = await scenarioRunRow(runs.db, run.id)
      if (Date.now() < deadline!.getTime() + 1_000) throw new Error('in time')
    })
    await workOff(runs, event)
    return waitForRunEnd(runs, run.id, 'done')
  },

  /** The account is blocked: the run fails, or goes on by the edge for errors. */
  async 'scenario-not-told'(runs) {
    const { id, address } = await make(runs)
    await block(runs, address)
    runs.wake('scenario', id, [{ name: 'started' }])
    return waitForRunEnd(runs, id, 'failed')
  },

  async 'scenario-error-edge'(runs) {
    const { id, address } = await make(runs, {
      nodes: [
        { id: 'hello', kind: 'message', messages: [text('您好')] },
        { id: 'tag', kind: 'tag', add: ['interest:later'], remove: [] },
        { id: 'end', kind: 'end' },
      ],
      edges: [
        { from: 'hello', to: 'end' },
        { from: 'hello', to: 'tag', when: { kind: 'error' } },
        { from: 'tag', to: 'end' },
      ],
    })
    await block(runs, address)
    runs.wake('scenario', id, [{ name: 'started' }])
    return waitForRunEnd(runs, id, 'done')
  },

  async 'scenario-waited'(runs) {
    const { id } = await begin(runs, {
      nodes: [
        { id: 'wait', kind: 'wait', seconds: 1 },
        { id: 'hello', kind: 'message', messages: [text('您好')] },
        { id: 'end', kind: 'end' },
      ],
      edges: [
        { from: 'wait', to: 'hello' },
        { from: 'hello', to: 'end' },
      ],
    })
    return waitForRunEnd(runs, id, 'done')
  },

  async 'scenario-handed-over'(runs) {
    const { id } = await begin(runs, handingOver(3_600))
    await waitForRunAt(runs, id, 'desk', 'waiting')
    const { id: handoffId } = await selectRow(runs.db, 'handoff', { run_id: id }, ['id'])
    await runs.db
      .transaction()
      .execute((trx) => closeHandoff(trx, handoffId, { by: 'key:test', reason: 'closed' }))
    runs.wake('scenario', id, [{ name: 'handoffClosed' }])
    return waitForRunEnd(runs, id, 'done')
  },

  async 'scenario-handoff-timed-out'(runs) {
    const { id } = await begin(runs, handingOver(1))
    return waitForRunEnd(runs, id, 'done')
  },

  'scenario-looked-up': (runs) => lookingUp(runs),

  'scenario-lookup-failed': (runs) => lookingUp(runs, { status: 500 }),

  /** The run of the other scenario is recorded as every other. */
  async 'scenario-jumped'(runs) {
    const next = await insertScenario(runs.db, { content: sayAndEnd() })
    const { id, scenarioId } = await make(runs, {
      nodes: [
        { id: 'hello', kind: 'message', messages: [text('您好')] },
        { id: 'jump', kind: 'jump', scenarioId: next.id },
        { id: 'end', kind: 'end' },
      ],
      edges: [
        { from: 'hello', to: 'jump' },
        { from: 'jump', to: 'end', when: { kind: 'error' } },
      ],
    })
    await runs.db
      .updateTable('scenario')
      .set(({ selectFrom }) => ({
        unit_id: selectFrom('scenario').select('unit_id').where('id', '=', scenarioId),
      }))
      .where('id', '=', next.id)
      .execute()
    runs.wake('scenario', id, [{ name: 'started' }])
    return waitForRunEnd(runs, id, 'done')
  },

  async 'scenario-cancelled'(runs) {
    const { id } = await begin(runs)
    await waitForRunAt(runs, id, 'ask', 'waiting')
    await runs.db
      .transaction()
      .execute((trx) => endRuns(trx, { ids: [id] }, { state: 'cancelled', reason: 'cancelled' }))
    runs.wake('scenario', id, [{ name: 'cancelled' }])
    return waitForRunEnd(runs, id, 'cancelled')
  },

  /** Closes as Canceled, and the row with it. */
  async 'scenario-operator-cancel'(runs) {
    const { id } = await begin(runs)
    await waitForRunAt(runs, id, 'ask', 'waiting')
    await runs.temporal.client.workflow.getHandle(workflowIdOf('scenario', id)).cancel()
    return waitForRunEnd(runs, id, 'cancelled')
  },

  /** The run of a turn under way settles it, and ends then. */
  async 'scenario-cancelled-while-saying'(runs) {
    await runs.chat.fault({ delayMs: 1_000, times: 1 })
    const { id, address } = await begin(runs)
    await eventually(async () => {
      const attempts = runs.db
        .selectFrom('turn')
        .select('tries')
        .where('run_id', '=', id)
        .where('tries', '=', 1)
      if ((await attempts.execute()).length === 0) throw new Error(`nothing tried for ${address}`)
    })
    await runs.db
      .transaction()
      .execute((trx) => endRuns(trx, { ids: [id] }, { state: 'cancelled', reason: 'left' }))
    runs.wake('scenario', id, [{ name: 'cancelled' }])
    return waitForRunEnd(runs, id, 'cancelled')
  },

  async 'scenario-retired-with-farewell'(runs) {
    const { id, scenarioId } = await begin(runs, { farewell: { 'zh-TW': '謝謝您的耐心' } })
    await waitForRunAt(runs, id, 'ask', 'waiting')
    await runs.db.updateTable('scenario').set({ state: 'retired' }).where('id', '=', scenarioId).execute()
    await runs.db.transaction().execute((trx) => retireRuns(trx, scenarioId, 10))
    runs.wake('scenario', id, [{ name: 'cancelled' }])
    return waitForRunEnd(runs, id, 'cancelled')
  },

  async 'scenario-paused-and-resumed'(runs) {
    const { id, scenarioId } = await make(runs)
    const set = (state: 'paused' | 'active') =>
      runs.db.updateTable('scenario').set({ state }).where('id', '=', scenarioId).execute()
    await set('paused')
    runs.wake('scenario', id, [{ name: 'started' }])
    await eventually(async () => {
      const row = await scenarioRunRow(runs.db, id)
      if (row.next_wakeup_at !== null || row.observed_version !== row.version) throw new Error('not held yet')
    })
    await set('active')
    await runs.db.transaction().execute((trx) => releaseTurns(trx, scenarioId))
    runs.wake('scenario', id, [{ name: 'overdue' }])
    await waitForRunAt(runs, id, 'ask', 'waiting')
    return cancelled(runs, id)
  },

  async 'scenario-parked-then-told'(runs) {
    await runs.chat.fault({ status: 401, times: 1_000 })
    const { id } = await begin(runs)
    await eventually(async () => {
      const { problem } = await scenarioRunRow(runs.db, id)
      if (problem !== 'provider') throw new Error('not parked yet')
    })
    await waitForRunTimer(runs, id)
    await runs.chat.recover()
    await runs.temporal.client.workflow.getHandle(workflowIdOf('scenario', id)).signal('retryParked')
    await waitForRunAt(runs, id, 'ask', 'waiting')
    return cancelled(runs, id)
  },

  /** Waits for a place, and gets it when somebody withdraws. */
  async 'scenario-promoted'(runs) {
    const pattern = await insertPattern(runs.db)
    const first = await askForPlace(runs, pattern)
    await waitForRunAt(runs, first.id, 'in', 'waiting')
    const second = await askForPlace(runs, pattern)
    await waitForRunAt(runs, second.id, 'take', 'waiting')
    await tapOption(runs, first, '0', 'in')
    await waitForRunEnd(runs, first.id, 'done')
    await wakePatternRuns(runs)
    await waitForRunAt(runs, second.id, 'in', 'waiting')
    return cancelled(runs, second.id)
  },

  /** Waits for a place until the deadline. */
  async 'scenario-waited-in-vain'(runs) {
    const pattern = await insertPattern(runs.db, { deadline: new Date(Date.now() + 5_000) })
    const { id: first } = await askForPlace(runs, pattern)
    await waitForRunAt(runs, first, 'in', 'waiting')
    const { id } = await askForPlace(runs, pattern)
    return waitForRunEnd(runs, id, 'done')
  },

  /** A history that is long enough continues as new. */
  async 'scenario-continued-as-new'(runs) {
    const { id } = await begin(runs)
    await waitForRunAt(runs, id, 'ask', 'waiting')
    const run = runs.temporal.client.workflow.getHandle(workflowIdOf('scenario', id))
    for (let round = 0; round < 20; round += 1)
      await Promise.all(Array.from({ length: 40 }, () => run.signal('overdue')))
    return cancelled(runs, id)
  },
}

const make = makeConversation

/** A run that asks for a place of the pattern. */
async function askForPlace({ db, wake }: RunsFixture, { scenario }: InsertedPattern) {
  const id = await insertScenarioRun(db, { scenario, columns: { node: 'take' } })
  const { subject_id: subjectId } = await scenarioRunRow(db, id)
  const { address } = await selectRow(db, 'address', { subject_id: subjectId! }, ['address'])
  wake('scenario', id, [{ name: 'started' }])
  return { id, address }
}

/** The same, on its way. */
async function begin(runs: RunsFixture, content: Partial<ScenarioContent> = {}) {
  const run = await make(runs, content)
  runs.wake('scenario', run.id, [{ name: 'started' }])
  return run
}

/** Says this and ends. */
function sayAndEnd(
  node: ScenarioContent['nodes'][number] = { id: 'next', kind: 'message', messages: [text('您好')] },
): ScenarioContent {
  return { nodes: [node, { id: 'end', kind: 'end' }], edges: [{ from: node.id, to: 'end' }] }
}

/** Hands over, and greets once a person has closed that. */
function handingOver(timeoutSeconds: number): ScenarioContent {
  return {
    nodes: [
      { id: 'desk', kind: 'handoff', timeoutSeconds },
      { id: 'hello', kind: 'message', messages: [text('您好')] },
      { id: 'end', kind: 'end' },
    ],
    edges: [
      { from: 'desk', to: 'hello' },
      { from: 'desk', to: 'end', when: { kind: 'timeout' } },
      { from: 'hello', to: 'end' },
    ],
  }
}

function conversationEdges(...more: { kind: 'text' }[]): ScenarioContent['edges'] {
  return [...askedFor(3_600).edges, ...more.map((when) => ({ from: 'ask', to: 'yes', when }))]
}

async function cancelled(runs: RunsFixture, id: string): Promise<string> {
  await runs.db
    .transaction()
    .execute((trx) => endRuns(trx, { ids: [id] }, { state: 'cancelled', reason: 'cancelled' }))
  runs.wake('scenario', id, [{ name: 'cancelled' }])
  return waitForRunEnd(runs, id, 'cancelled')
}

async function block({ db }: RunsFixture, address: string): Promise<void> {
  await db.updateTable('address').set({ blocked_at: new Date() }).where('address', '=', address).execute()
}

/** Looks up, and says what was found or that nothing was. */
async function lookingUp(runs: RunsFixture, fault?: Partial<ProducerFault>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'producer-'))
  const producer = await startProducer({ port: 0, dir, keys: eventKeys })
  try {
    if (fault) await fetch(`${producer.url}/faults`, { method: 'POST', body: JSON.stringify(fault) })
    await registerProducer(runs.db, producer.url)
    const { id } = await begin(runs, {
      nodes: [
        { id: 'lookup', kind: 'lookup', method: 'GET', url: `${producer.url}/lookups/orders`, variables: [] },
        { id: 'found', kind: 'message', messages: [text('{{ order.id }}')] },
        { id: 'nothing', kind: 'message', messages: [text('您好')] },
        { id: 'end', kind: 'end' },
      ],
      edges: [
        { from: 'lookup', to: 'found' },
        { from: 'lookup', to: 'nothing', when: { kind: 'error' } },
        { from: 'found', to: 'end' },
        { from: 'nothing', to: 'end' },
      ],
    })
    await waitForRunEnd(runs, id, 'done')
    const { node } = await runs.db
      .selectFrom('scenario_step')
      .select('node')
      .where('run_id', '=', id)
      .where('node', 'in', ['found', 'nothing'])
      .executeTakeFirstOrThrow()
    if ((node === 'found') !== (fault === undefined)) throw new Error(`went by ${node}`)
    return id
  } finally {
    await producer.close()
    await rm(dir, { recursive: true, force: true })
  }
}

import { beforeAll, expect, it } from 'vitest'
import type { PutScenario } from '../../../src/contract/scenarios/scenario.ts'
import { text } from '../../fixtures/conversations.ts'
import { selectRow } from '../../fixtures/rows.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { eventOf, postEvents, tap } from './world/chat-events.ts'
import { startInstallation } from './world/installation.ts'
import { recordMeasurement, secondsOf } from './world/measurements.ts'
import { insertCrowd } from './world/people.ts'
import {
  beginRuns,
  expectRunInvariants,
  setUpScenarios,
  takesScenarios,
  untilAt,
  untilDone,
  type WalkingRun,
  walkOf,
} from './world/scenarios.ts'

const installation = forFile(startInstallation)
const world = forFile(() => setUpScenarios(installation))
const api = forFile(() => installation.startApi(takesScenarios))
beforeAll(async () => {
  await installation.startWorker(takesScenarios)
})

/** Changes the scenario of these runs, and has an approver decide where one is asked. */
async function change([run]: WalkingRun[], body: PutScenario): Promise<string> {
  const { scenario_id: id } = await selectRow(installation.db, 'scenario_run', { id: run!.id }, [
    'scenario_id',
  ])
  const { key, session } = installation.credentials
  const call = async (method: string, path: string, headers: Record<string, string>, sent: object) => {
    const answer = await fetch(`${api.url}/v1/scenarios/${id}${path}`, {
      ...{ method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(sent) },
    })
    expect(answer.status, await answer.text()).toBe(200)
  }
  await call('PUT', '', { authorization: `Bearer ${key}` }, body)
  if (body.state === 'active')
    await call('POST', '/approve', { cookie: `hub_session=${session}` }, { version: 2 })
  return id
}

/** The runs that have passed a node. */
async function passed(node: string): Promise<Set<string>> {
  const steps = installation.db.selectFrom('scenario_step').select('run_id').where('node', '=', node)
  return new Set((await steps.execute()).map(({ run_id }) => run_id))
}

it('runs stay on their version when another one comes in force', patient, async () => {
  const { runs: count } = countsOf('scenarioActivated')
  const walk = walkOf(world)
  const earlier = await beginRuns(installation, walk, count)
  const edges = walk.edges.map((edge) => (edge.from === 'yes' ? { ...edge, to: 'thanks' } : edge))
  const scenarioId = await change(earlier, {
    ...{ name: 'Thanks', categoryId: 'notice', state: 'active', triggers: { keywords: ['報名'] } },
    variables: [{ name: 'secret', required: false, default: '' }],
    nodes: [...walk.nodes, { id: 'thanks', kind: 'message', messages: [text('謝謝')] }],
    edges: [...edges, { from: 'thanks', to: 'end' }],
  })
  const { recipients } = await insertCrowd(installation.db, count)
  const says = { type: 'message', message: { type: 'text', text: '報名' } }
  await postEvents(
    api,
    recipients.map((address) => eventOf(address, says)),
  )
  const later = await eventually(async () => {
    const begun = await installation.db
      .selectFrom('scenario_run as run')
      .innerJoin('address', 'address.subject_id', 'run.subject_id')
      .select(['run.id', 'address'])
      .where('scenario_id', '=', scenarioId)
      .where('version_number', '=', 2)
      .execute()
    expect(begun).toHaveLength(count)
    return begun.map((run) => ({ ...run, answer: 0 as const }))
  })
  const all = [...earlier, ...later]
  await untilAt(installation, all, 'ask')
  await tap(api, all)
  await untilDone(installation, all)
  expect(await passed('thanks')).toEqual(new Set(later.map(({ id }) => id)))
  await expectRunInvariants(installation, world)
  recordMeasurement(
    'scenarioActivated',
    `${count} runs stayed on their version, and ${count} began on the next`,
  )
})

it('runs of a retired scenario say farewell, and nothing else any more', patient, async () => {
  const { runs: count } = countsOf('scenarioRetired')
  const farewell = { 'zh-TW': '這項服務已結束' }
  const walk = { ...walkOf(world), farewell }
  const atQuestion = await beginRuns(installation, walk, count, 'ask')
  await untilAt(installation, atQuestion, 'ask')
  const walking = await beginRuns(installation, walk, count)
  const begun = performance.now()
  for (const runs of [atQuestion, walking]) await change(runs, { state: 'retired' })
  await tap(api, atQuestion)
  const ids = [...atQuestion, ...walking].map(({ id }) => id)
  await eventually(async () => {
    const rows = installation.db.selectFrom('scenario_run').select(['state', 'reason']).where('id', 'in', ids)
    expect(await rows.execute()).toEqual(ids.map(() => ({ state: 'cancelled', reason: 'retired' })))
  })
  const took = secondsOf(performance.now() - begun)

  const turns = await installation.db
    .selectFrom('turn')
    .select(['run_id', 'number', 'state', 'says'])
    .where('run_id', 'in', ids)
    .orderBy('number')
    .execute()
  const sentTurns = turns.filter(({ state }) => state === 'sent')
  const isFarewell = ({ says }: (typeof turns)[number]) => JSON.stringify(says).includes(farewell['zh-TW'])
  for (const id of ids) {
    const told = sentTurns.filter(({ run_id }) => run_id === id).map(isFarewell)
    expect(told, id).toEqual([...told.slice(1).map(() => false), true])
  }
  const answered = sentTurns.filter(
    (turn) => !isFarewell(turn) && atQuestion.some(({ id }) => id === turn.run_id),
  )
  expect(answered.map(({ number }) => number)).toEqual(atQuestion.map(() => 1)) // the question alone
  await expectRunInvariants(installation, world)
  recordMeasurement('scenarioRetired', `${ids.length} runs; all ended ${took} after the first call`)
})

import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { conversation } from '../../fixtures/conversations.ts'
import { completeErasures, placesOf } from '../../fixtures/erasure.ts'
import { forApiWithRuns } from '../../fixtures/open-runs.ts'
import { waitForRunEnd } from '../../fixtures/run-waits.ts'
import { insertScenario, insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { storedTexts } from '../../fixtures/temporal-texts.ts'
import { eventually } from '../../harness/eventually.ts'

const { api, runs } = forApiWithRuns()

it('somebody who is erased while a turn is at the provider is in no table, in no history and in no log', async () => {
  const { db } = api.database
  const token = randomUUID().replaceAll('-', '')
  const uid = `uid-${token}`
  const body = { address: `U${token}` }
  const directory = { key: api.keys.administrative, id: uid }
  const { subjectId } = (await api.call('bindAddress', { ...directory, body })).body
  const scenario = await insertScenario(db, { unitId: api.units.a, content: conversation })
  const columns = {
    node: 'hello',
    variables: JSON.stringify({ about: token }),
    started_by: `recipient:${subjectId}`,
  }
  const id = await insertScenarioRun(db, { scenario, subjectId, columns })
  runs.gate.mayPass = 0
  runs.wake('scenario', id, [{ name: 'started' }])
  await eventually(() => expect(runs.gate.waiting).toBe(1))
  expect(await placesOf(db, token)).toEqual(['address', 'scenario_run', 'subject', 'turn'])
  expect((await api.call('eraseSubject', directory)).status).toBe(200)
  runs.gate.open()
  await waitForRunEnd(runs, id, 'cancelled')
  await completeErasures(db)
  expect(await placesOf(db, token)).toEqual([])
  const stored = await storedTexts(runs.temporal.client)
  expect([...stored.keys()]).toContain(`scenario/${id}`)
  expect([...stored].filter(([, text]) => text.includes(token))).toEqual([])
  expect(runs.logged.filter((line) => line.includes(token))).toEqual([])
})

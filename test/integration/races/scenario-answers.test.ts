import { afterAll, beforeAll, expect, it } from 'vitest'
import { advanceRun } from '../../../src/activities/scenario/advance-run.ts'
import { checkInvariants } from '../../../src/db/queries/doctor/doctor.ts'
import type { Services } from '../../../src/services/context.ts'
import { conversation, makeConversation, storeEvent, tapOf, workOff } from '../../fixtures/conversations.ts'
import { insertRow, insertRows, updateRows } from '../../fixtures/rows.ts'
import { scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { servicesOn } from '../../fixtures/services.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from '../faults/counts.ts'
import { recordMeasurement } from '../faults/world/measurements.ts'

/** The deadline falls within so long after the answer, or before it. */
const withinMs = 30

let services: Services
const fresh = forFile(freshDatabase)
beforeAll(async () => {
  services = servicesOn(fresh.db)
})
afterAll(async () => {
  await services.outbound.close()
})

/** A run whose question was told, and times out soon. */
async function runAtQuestion() {
  const run = await makeConversation(fresh)
  const { subject_id, unit_id } = await scenarioRunRow(fresh.db, run.id)
  const ask = conversation.nodes.find(({ id }) => id === 'ask')
  if (ask?.kind !== 'question') throw new Error('the conversation asks nothing')
  const { message, timeoutSeconds } = ask
  await insertRow(fresh.db, 'turn', {
    ...{ run_id: run.id, number: 1, first_node: 'hello', last_node: 'ask', subject_id, unit_id },
    ...{ answers_person: false, locale: 'zh-TW', state: 'sent', closed_at: new Date(), channel: 'chat' },
    says: JSON.stringify([{ node: 'ask', messages: [message] }]),
  })
  await insertRows(fresh.db, 'scenario_step', [
    { run_id: run.id, node: 'hello', edge: 'plain', to_node: 'ask', left_at: new Date() },
    { run_id: run.id, node: 'ask' },
  ])
  const deadline = Date.now() + withinMs
  await fresh.db
    .updateTable('turn')
    .set({ closed_at: new Date(deadline - timeoutSeconds * 1_000) })
    .where('run_id', '=', run.id)
    .execute()
  await updateRows(
    fresh.db,
    'scenario_run',
    { id: run.id },
    { node: 'ask', state: 'waiting', deadline: new Date(deadline) },
  )
  return run
}

/** Reads the row as the workflow does, until the run has left its question. Returns where it went. */
async function untilLeft(runId: string): Promise<string> {
  for (;;) {
    await advanceRun(services, runId)
    const { node } = await scenarioRunRow(fresh.db, runId)
    if (node !== 'ask') return node
  }
}

it('of an answer and its time-out one wins, and the person is told which', patient, async () => {
  const { answers } = countsOf('scenarioAnswers')
  let heard = 0
  for (let n = 0; n < answers; n++) {
    const run = await runAtQuestion()
    const pause = Math.random() * 1.5 * withinMs
    const answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, pause))
      const event = await storeEvent(fresh, run.address, tapOf(run.id, '0'))
      return workOff({ db: fresh.db, parts: services, wake: services.wake }, event)
    }
    const [outcome, node] = await Promise.all([answer(), untilLeft(run.id)])
    expect([outcome, node]).toEqual(outcome === 'answered' ? ['answered', 'yes'] : ['late', 'late'])
    if (outcome === 'answered') heard += 1
  }
  const findings = await checkInvariants(fresh.db)
  expect(findings.filter(({ ok }) => !ok)).toEqual([])
  recordMeasurement('scenarioAnswers', `${answers} answers, of which ${heard} came in time`)
})

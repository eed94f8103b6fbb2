import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eraseSubject } from '../../../src/db/queries/erasure/record.ts'
import { lockAnsweredRun } from '../../../src/db/queries/scenario-run/answer.ts'
import { endRuns } from '../../../src/db/queries/scenario-run/end.ts'
import { optionsAt } from '../../../src/domain/scenario/question.ts'
import type { Services } from '../../../src/services/context.ts'
import { wakePatternRuns } from '../../../src/services/patterns/wake-runs.ts'
import { recordAnswer } from '../../../src/services/scenario-runs/record-answer.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { insertPattern, placesIn, walkOn } from '../../fixtures/patterns.ts'
import { insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { servicesOn } from '../../fixtures/services.ts'
import { freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from '../faults/counts.ts'
import { recordMeasurement } from '../faults/world/measurements.ts'

/** How many walk, say and leave at once. */
const atOnce = 8

let services: Services
const woken = new Set<string>()
const fresh = forFile(freshDatabase)
beforeAll(async () => {
  services = servicesOn(fresh.db, { wake: (_kind, id) => void woken.add(id) })
})
afterAll(async () => {
  await services.outbound.close()
})

/** Does these, several at a time. */
async function each(ids: string[], work: (id: string) => Promise<void>): Promise<void> {
  const left = [...ids]
  const lane = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) await work(id)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

/** What people do who have asked for a place: most stay, others leave, in one of three ways. */
async function act(id: string): Promise<void> {
  const { subject_id: subjectId, node } = await scenarioRunRow(fresh.db, id)
  const dice = Math.random()
  if (subjectId === null || dice < 0.5) return
  await fresh.db.transaction().execute(async (trx) => {
    if (dice < 0.8) {
      const run = await lockAnsweredRun(trx, { runId: id, subjectId, node })
      const [option] = run
        ? optionsAt(
            run.content.nodes.find((one) => one.id === node),
            [],
          )
        : []
      const chosen = node === 'in' ? { id: 'leave', label: { 'zh-TW': '取消報名' } } : option
      if (run && chosen)
        await recordAnswer(trx, run, { option: chosen, text: null }, { at: run.now, webhookEventId: null })
    } else if (dice < 0.9) await endRuns(trx, { ids: [id] }, { state: 'cancelled', reason: 'left' })
    else await eraseSubject(trx, { id: subjectId, uid: `erased ${subjectId}` })
  })
  await walkOn(services, id)
}

/** Rounds of the background task, and the runs that they wake, until `over`. */
async function rounds(over: () => boolean): Promise<void> {
  while (!over()) {
    await wakePatternRuns(services)
    const ids = [...woken]
    woken.clear()
    await each(ids, (id) => walkOn(services, id))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

it('places hold while people come, leave, are erased, and the deadline passes', patient, async () => {
  const { people, places } = countsOf('patternPlaces')
  const pattern = await insertPattern(fresh.db, { capacity: places })
  const ids: string[] = []
  for (let n = 0; n < people; n++)
    ids.push(await insertScenarioRun(fresh.db, { scenario: pattern.scenario, columns: { node: 'take' } }))
  const begun = performance.now()
  let over = false
  const background = rounds(() => over)
  await each(ids, async (id) => {
    await walkOn(services, id)
    await act(id)
  })
  const sound = async () => {
    expect(await brokenInvariants(fresh.db)).toEqual([])
  }
  await sound()
  const leaving = each(ids, act)
  await sql`update pattern set deadline = clock_timestamp() + interval '200 milliseconds',
    retimed_at = clock_timestamp() where id = ${pattern.id}`.execute(fresh.db)
  await leaving
  await sound()
  while ((await openRuns()).length > 0) await each(await openRuns(), (id) => walkOn(services, id))
  over = true
  await background
  await sound()
  const rows = await placesIn(fresh.db, pattern.id)
  const count = (state: string) => rows.filter((row) => row.state === state).length
  expect([count('waitlisted'), rows.filter(({ promoted_at }) => promoted_at !== null).length]).toEqual([0, 0])
  expect(count('registered')).toBeLessThanOrEqual(places)
  recordMeasurement(
    'patternPlaces',
    `${people} people, ${places} places: ${count('registered')} registered, ${count('withdrawn')} withdrawn, ${count('not_admitted')} waited until the deadline; ${Math.round((performance.now() - begun) / 1_000)} s`,
  )
})

it('everybody who gets a place is told, whatever their runs read meanwhile', patient, async () => {
  const { people, places } = countsOf('patternPlaces')
  const pattern = await insertPattern(fresh.db, { capacity: places })
  const start = () => insertScenarioRun(fresh.db, { scenario: pattern.scenario, columns: { node: 'take' } })
  const [first, waiting] = [[], []] as [string[], string[]]
  for (let n = 0; n < people; n++) (n < places ? first : waiting).push(await start())
  for (const ids of [first, waiting]) await each(ids, (id) => walkOn(services, id))
  let over = false
  const background = rounds(() => over)
  // Each withdrawal promotes one who waits, while the runs of those who wait read their rows over and over.
  const reading = each(Array.from({ length: 4 }, () => waiting).flat(), async (id) => {
    await sql`update scenario_run set version = version + 1, changed_at = clock_timestamp()
        where id = ${id} and closed_at is null`.execute(fresh.db)
    await walkOn(services, id)
  })
  await each(first, async (id) => {
    await fresh.db.transaction().execute(async (trx) => {
      const { subject_id: subjectId } = await scenarioRunRow(trx, id)
      const run = await lockAnsweredRun(trx, { runId: id, subjectId: subjectId!, node: 'in' })
      const chosen = { id: 'leave', label: { 'zh-TW': '取消報名' } }
      await recordAnswer(trx, run!, { option: chosen, text: null }, { at: run!.now, webhookEventId: null })
    })
    await walkOn(services, id)
  })
  await reading
  const unseen = async () => (await placesIn(fresh.db, pattern.id)).filter((row) => row.promoted_at !== null)
  await eventually(async () => expect(await unseen()).toEqual([]))
  over = true
  await background
  const told = await fresh.db
    .selectFrom('registration')
    .innerJoin('scenario_run as run', 'run.id', 'run_id')
    .select('node')
    .where('pattern_id', '=', pattern.id)
    .where('registration.state', '=', 'registered')
    .execute()
  expect(told.map(({ node }) => node)).toEqual(
    Array.from({ length: Math.min(places, waiting.length) }, () => 'in'),
  )
})

async function openRuns(): Promise<string[]> {
  const open = fresh.db.selectFrom('scenario_run').select('id').where('closed_at', 'is', null)
  return (await open.execute()).map(({ id }) => id)
}

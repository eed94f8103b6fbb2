import { beforeAll, expect, it } from 'vitest'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { startInstallation } from './world/installation.ts'
import { recordMeasurement, secondsOf } from './world/measurements.ts'
import {
  beginRuns,
  expectRunInvariants,
  setUpScenarios,
  takesScenarios,
  untilAt,
  type WalkingRun,
  walkOf,
} from './world/scenarios.ts'

const installation = forFile(startInstallation)
const hostile = forFile(() => setUpScenarios(installation))
const friendly = forFile(() => setUpScenarios(installation))
beforeAll(async () => {
  await installation.startWorker(takesScenarios)
})

/** What a producer does, and what that is to a run. An answer must be there within 5 s. */
const answers = [
  [{ delayMs: 6_000 }, 'timeout'],
  [{ dripMs: 200 }, 'timeout'],
  [{ cut: 'before-reply' }, 'network'],
  [{ cut: 'mid-reply' }, 'network'],
  [{ status: 302, headers: { location: 'https://example.edu/' } }, 'status'],
  [{ status: 500 }, 'status'],
  [{ bytes: 2_000_000 }, 'size'],
  [{ body: '<html>' }, 'shape'],
  [{ compressed: true }, 'shape'],
] as const

/** The Lookups of runs: how they ended, and when the last did. */
async function lookupsOf(runs: WalkingRun[]) {
  const ids = runs.map(({ id }) => id)
  const lookups = await installation.db.selectFrom('lookup').selectAll().where('run_id', 'in', ids).execute()
  return {
    outcomes: lookups.map(({ outcome }) => outcome).toSorted(),
    endedAt: Math.max(...lookups.map(({ ended_at }) => ended_at!.getTime())),
  }
}

it('a hostile producer costs its own runs their answer, and others nothing', patient, async () => {
  const { 'Lookups each': times } = countsOf('scenarioLookups')
  for (const [fault] of answers) await hostile.producer.fault({ ...fault, times })
  const begun = performance.now()
  const walk = walkOf(hostile)
  const unlucky = await beginRuns(installation, walk, answers.length * times, 'order')
  const lucky = await beginRuns(installation, walkOf(friendly), 10, 'order')
  await untilAt(installation, lucky, 'ask')
  await untilAt(installation, unlucky, 'ask')
  const took = secondsOf(performance.now() - begun)

  const failed = await lookupsOf(unlucky)
  expect(failed.outcomes).toEqual(
    answers.flatMap(([, error]) => Array.from({ length: times }, () => error)).toSorted(),
  )
  const results = await lookupsOf(lucky)
  expect(results.outcomes).toEqual(lucky.map(() => 'found'))
  expect(results.endedAt).toBeLessThan(failed.endedAt)
  const ways = await installation.db
    .selectFrom('scenario_run as run')
    .innerJoin('lookup', 'lookup.run_id', 'run.id')
    .innerJoin('scenario_step as step', (join) =>
      join.onRef('step.run_id', '=', 'run.id').onRef('step.node', '=', 'lookup.node'),
    )
    .select(['edge', 'lookup_error', 'outcome'])
    .execute()
  for (const { edge, lookup_error, outcome } of ways)
    expect([edge, lookup_error]).toEqual(
      outcome === 'found' ? ['plain', null] : ['{"kind":"error"}', outcome],
    )
  await expectRunInvariants(installation, hostile, friendly)
  recordMeasurement(
    'scenarioLookups',
    `${unlucky.length} Lookups without an answer; all runs went on within ${took}`,
  )
})

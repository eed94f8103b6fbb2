import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkInvariants } from '../../../src/db/queries/doctor/doctor.ts'
import { selectRows } from '../../fixtures/rows.ts'
import { insertSchedule, makeDueAt, occurrencesOf, scheduleRow } from '../../fixtures/schedule-rows.ts'
import { eventually } from '../../harness/eventually.ts'
import { countsOf, patient } from './counts.ts'
import { canary } from './world/canaries.ts'
import { type Installation, startInstallation } from './world/installation.ts'
import { recordMeasurement, secondsOf } from './world/measurements.ts'
import { type OwnPostgres, type OwnTemporal, ownPostgres, ownTemporal } from './world/servers.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** What an idle machine needs, with an activity that is tried again a minute after its worker was killed. */
const limitMs = 90_000
/** Kills at a random moment within so long after the start of a worker. */
const killWithinMs = 2_000

const message = { messages: [{ kind: 'text' as const, text: { 'zh-TW': canary.text } }] }

/** Daily schedules that are due at this instant, and then each day at the same time. */
async function dueSince({ db }: Installation, count: number, at: Date): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const cron = `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`
    ids.push(await insertSchedule(db, { message, columns: { cron, time_zone: 'UTC', next_at: at } }))
  }
  return ids
}

/** Waits until each has these outcomes, oldest first, with a message for each that was made, and is due again. */
async function untilOutcomes({ db }: Installation, ids: string[], outcomes: string[]): Promise<void> {
  await eventually(
    async () => {
      for (const id of ids) {
        const results = (await occurrencesOf(db, id)).map(({ outcome, reason }) => reason ?? outcome)
        expect(results).toEqual(outcomes)
        expect((await scheduleRow(db, id)).next_at!.getTime()).toBeGreaterThan(Date.now())
      }
    },
    { limitMs },
  )
  const createdCount = outcomes.filter((outcome) => outcome === 'created').length
  for (const id of ids) {
    const messages = await selectRows(db, 'message', { created_by: `schedule:${id}` }, ['id'])
    expect(messages).toHaveLength(createdCount)
  }
}

async function expectInvariants(installation: Installation): Promise<void> {
  const findings = await checkInvariants(installation.db)
  expect({ rows: findings.filter(({ ok }) => !ok), leaks: await installation.leaks() }).toEqual({
    rows: [],
    leaks: [],
  })
}

/** The latest whole minute, so many ms ago at least. */
const ago = (ms: number) => new Date(Math.floor((Date.now() - ms) / minute) * minute)

describe('a worker that is killed', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await startInstallation()
  })
  afterAll(() => installation.close())

  it('makes each occurrence once, however often', patient, async () => {
    const { schedules, kills } = countsOf('scheduleWorkerKilled')
    const ids = await dueSince(installation, schedules, ago(minute))
    const begun = performance.now()
    let worker = await installation.startWorker()
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(Math.random() * killWithinMs)
      worker.signal('SIGKILL')
      await worker.exited
      worker = await installation.startWorker()
    }
    await untilOutcomes(installation, ids, ['created'])
    await worker.stop()
    await expectInvariants(installation)
    const took = secondsOf(performance.now() - begun)
    recordMeasurement(
      'scheduleWorkerKilled',
      `${kills} kills over ${schedules} schedules; all made after ${took}`,
    )
  })
})

describe('a schedule that is due while everything is down', () => {
  let postgres: OwnPostgres
  let temporal: OwnTemporal
  let installation: Installation
  beforeAll(async () => {
    ;[postgres, temporal] = await Promise.all([ownPostgres(), ownTemporal()])
    installation = await startInstallation({ postgres, temporal })
  })
  afterAll(async () => {
    await installation.close()
    await Promise.all([postgres.stop(), temporal.stop()])
  })

  it('is made if it is less than an hour late; what is later is recorded', patient, async () => {
    const { db } = installation
    const { 'schedules each': count } = countsOf('scheduleMissed')
    const cases: [late: number, outcomes: string[]][] = [
      [10 * minute, ['created']],
      [hour + minute, ['late']],
      [day + 10 * minute, ['late', 'created']],
      [2 * day + 2 * hour, ['late', 'late', 'late']],
    ]
    const [api, worker] = [await installation.startApi(), await installation.startWorker()]
    const groups: string[][] = []
    for (const [late] of cases) {
      const ids = await dueSince(installation, count, ago(late))
      for (const id of ids) await makeDueAt(db, id, new Date(Date.now() + day))
      groups.push(ids)
    }
    await eventually(async () => {
      for (const id of groups.flat()) {
        const row = await scheduleRow(db, id)
        expect(row.observed_version).toBe(row.version)
      }
    })
    for (const process of [api.process, worker]) process.signal('SIGKILL')
    await Promise.all([api.process.exited, worker.exited])
    // What the clocks would have done meanwhile.
    const dueAt = cases.map(([late]) => ago(late))
    for (const [n, ids] of groups.entries()) for (const id of ids) await makeDueAt(db, id, dueAt[n]!)
    await Promise.all([postgres.kill(), temporal.kill()])

    await Promise.all([postgres.start(), temporal.start()])
    const back = performance.now()
    await installation.startApi()
    await installation.startWorker()
    for (const [n, [, outcomes]] of cases.entries()) await untilOutcomes(installation, groups[n]!, outcomes)
    const took = secondsOf(performance.now() - back)
    await expectInvariants(installation)
    recordMeasurement(
      'scheduleMissed',
      `${cases.length * count} schedules; made or recorded ${took} after the servers were back`,
    )
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { pollLoop } from '../../../src/background/poll-loop.ts'
import { runWake } from '../../../src/background/tasks.ts'
import type { Db, Trx } from '../../../src/db/connect.ts'
import { makeRunsDue, readRunHealth, takeRunsToWake } from '../../../src/db/queries/run/reconcile.ts'
import { recordTaskFailures } from '../../../src/db/queries/run/wedged.ts'
import type { Temporal } from '../../../src/temporal/client.ts'
import { hasOtherReleases } from '../../../src/temporal/wedged-runs.ts'
import { insertMessageRows, messageRow } from '../../fixtures/message-rows.ts'
import { openRuns } from '../../fixtures/open-runs.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

describe('the reconciler', () => {
  const runs = forFile(openRuns)
  afterEach(async () => {
    await sql`update message set closed_at = now(), observed_version = version, next_wakeup_at = null`.execute(
      runs.db,
    )
  })

  const change = (id: string, set: string, db: Db = runs.db) =>
    sql`update message set ${sql.raw(set)} where id = ${id}`.execute(db)
  const takeIds = async (db: Db = runs.db) => (await takeRunsToWake(db, 50)).map(({ id }) => id)
  /** `now()` is the same for the whole transaction. */
  const atOneMoment = (work: (moment: Trx) => Promise<void>) => runs.db.transaction().execute(work)

  it('wakes a change that was not observed for a second, and a wakeup missed by five', async () => {
    const fresh = await insertMessageRows(runs.db)
    const unseen = await insertMessageRows(runs.db)
    const missed = await insertMessageRows(runs.db)
    const due = await insertMessageRows(runs.db)
    await atOneMoment(async (moment) => {
      await change(fresh, `changed_at = now() - interval '1 second'`, moment)
      await change(unseen, `changed_at = now() - interval '1001 ms'`, moment)
      await change(missed, `observed_version = version, next_wakeup_at = now() - interval '5001 ms'`, moment)
      await change(due, `observed_version = version, next_wakeup_at = now() - interval '5 seconds'`, moment)
      expect((await takeIds(moment)).toSorted()).toEqual([unseen, missed].toSorted())
    })
  })

  it('wakes one run at most once in five seconds, a wedged one once in a minute', async () => {
    const id = await insertMessageRows(runs.db)
    await atOneMoment(async (moment) => {
      await change(id, `changed_at = now() - interval '1 hour'`, moment)
      expect(await takeIds(moment)).toEqual([id])
      expect(await takeIds(moment)).toEqual([])
      await change(id, `woken_at = now() - interval '5001 ms'`, moment)
      expect(await takeIds(moment)).toEqual([id])
      await change(id, `woken_at = now() - interval '1 minute', wedged_at = now()`, moment)
      expect(await takeIds(moment)).toEqual([])
      await change(id, `woken_at = now() - interval '60001 ms'`, moment)
      expect(await takeIds(moment)).toEqual([id])
    })
  })

  it('shares overdue runs among all workers, each run going to one', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => insertMessageRows(runs.db)))
    await sql`update message set changed_at = now() - interval '1 minute' where closed_at is null`.execute(
      runs.db,
    )
    const rounds = await Promise.all(Array.from({ length: 8 }, () => takeRunsToWake(runs.db, 10)))
    const batch = rounds.flat().map(({ id }) => id)
    expect(batch).toHaveLength(new Set(batch).size)
    const rest = await takeIds()
    expect([...batch, ...rest].toSorted()).toEqual(ids.toSorted())
  })

  it('counts overdue runs, and makes every open run due for `carillon reconcile`', async () => {
    const [late, open] = [await insertMessageRows(runs.db), await insertMessageRows(runs.db)]
    await change(late, `changed_at = now() - interval '90 seconds'`)
    await change(open, 'observed_version = version')
    expect(await readRunHealth(runs.db)).toMatchObject({ message: { overdue: 1, wedged: 0 } })
    expect(await makeRunsDue(runs.db)).toEqual({ message: 2, scenario: 0, schedule: 0 })
    expect((await takeIds()).toSorted()).toEqual([late, open].toSorted())
  })

  it('repairs a lost wake', async () => {
    const worker = await runs.startWorker()
    const id = await insertMessageRows(runs.db)
    await eventually(async () => expect((await messageRow(runs.db, id)).state).toBe('sent'), {
      limitMs: 5_000,
    })
    await worker.stop()
  })

  it('does not grow a backlog: while runs wait for a worker, it wakes a few at a time', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => insertMessageRows(runs.db)))
    await sql`update message set changed_at = now() - interval '1 minute' where id = any(${ids})`.execute(
      runs.db,
    )
    const woken = async () =>
      (await sql`select from message where id = any(${ids}) and wake_count > 0`.execute(runs.db)).rows.length
    let waiting = 1_000 // in place of Temporal's count, which is approximate
    const afterRound: number[] = []
    const workflowService = {
      async describeTaskQueue() {
        afterRound.push(await woken())
        return { stats: { approximateBacklogCount: waiting } }
      },
    }
    const temporal = { ...runs.temporal, connection: { workflowService } } as unknown as Temporal
    const wedged = { restart: false, release: 'none' }
    const reconciler = pollLoop(runWake({ ...runs.parts, temporal }, wedged), runs.parts.log)
    await eventually(() => expect(afterRound.slice(0, 3)).toEqual([10, 20, 30]))
    waiting = 0
    await eventually(async () => expect(await woken()).toBe(ids.length))
    await reconciler.stop()
  })

  it('marks a run whose code fails as wedged, and unmarks it when the run observes its row', async () => {
    const broken = await runs.startWorker({
      spoil: (code) => code.replace('const heard = told.take();', 'told.fails();'),
    })
    const id = await insertMessageRows(runs.db)
    await change(id, 'wake_count = 4')
    await eventually(async () => expect((await messageRow(runs.db, id)).wedged_at).not.toBeNull())
    expect(await readRunHealth(runs.db)).toMatchObject({ message: { wedged: 1 } })
    await broken.stop()

    const mended = await runs.startWorker()
    await change(id, `woken_at = now() - interval '61 seconds'`)
    await eventually(async () => expect((await messageRow(runs.db, id)).state).toBe('sent'))
    expect(await messageRow(runs.db, id)).toMatchObject({ wedged_at: null, wake_count: 0 })
    await mended.stop()
  })

  it('ends a wedged run after ten minutes and twenty failures, both counted from its mark', async () => {
    const id = await insertMessageRows(runs.db)
    const failed = (failures: number, db: Db = runs.db) =>
      recordTaskFailures(db, { kind: 'message', id, wakes: 0 }, failures)
    expect(await failed(30)).toEqual({ failures: 30, lasting: false })
    await change(id, `wedged_at = clock_timestamp() - interval '10 minutes'`)
    expect(await failed(1)).toEqual({ failures: 31, lasting: true })
    await change(id, 'wedged_failures = 18')
    expect(await failed(1)).toEqual({ failures: 19, lasting: false })
    expect(await failed(1)).toEqual({ failures: 20, lasting: true })
    await change(id, `wedged_at = clock_timestamp() - interval '9 minutes 50 seconds'`)
    expect(await failed(1)).toMatchObject({ lasting: false })
    expect(await recordTaskFailures(runs.db, { kind: 'message', id, wakes: 1 }, 1)).toBeUndefined()
  })

  it('knows whether workers of another release are there', async () => {
    const { temporal } = runs
    const worker = await runs.startWorker({ spoil: (code) => `${code}\n` })
    await eventually(async () => expect(await hasOtherReleases(temporal, 'another')).toBe(true))
    const { pollers } = await temporal.connection.workflowService.describeTaskQueue({
      namespace: temporal.namespace,
      taskQueue: { name: 'carillon' },
    })
    expect(pollers.map(({ identity }) => identity)).toContainEqual(
      expect.stringMatching(/^carillon changed /),
    )
    await worker.stop()
  })

  it('wakes no run after it was stopped', async () => {
    const worker = await runs.startWorker()
    await worker.reconciler.stop()
    const id = await insertMessageRows(runs.db)
    await sleep(2_500)
    expect((await messageRow(runs.db, id)).state).toBe('approved')
    await worker.stop()
  })
})

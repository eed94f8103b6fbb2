import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { workflowIdOf } from '../../../src/domain/run/run-kinds.ts'
import { createWake } from '../../../src/temporal/wake.ts'
import { insertMessageRows, messageRow } from '../../fixtures/message-rows.ts'
import { valuesOf } from '../../fixtures/metrics.ts'
import { openRuns } from '../../fixtures/open-runs.ts'
import { countedDatabase } from '../../fixtures/statements.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

describe('a wake', () => {
  const runs = forFile(openRuns)
  beforeAll(async () => {
    const worker = await runs.startWorker()
    await worker.reconciler.stop() // it signals too, if a run is slow
  })

  const untilObserved = (id: string) =>
    eventually(async () => {
      const { observed_version, version } = await messageRow(runs.db, id)
      expect(observed_version).toBe(version)
    })
  const runOf = (id: string) => runs.temporal.client.workflow.getHandle(workflowIdOf('message', id))

  it('merges with others for the same run: a thousand at once are a few signals', async () => {
    const id = await insertMessageRows(runs.db, { state: 'submitted' })
    for (let count = 0; count < 1_000; count += 1) runs.wake('message', id, [{ name: 'overdue' }])
    await untilObserved(id)
    const { events } = await runOf(id).fetchHistory()
    const signals = events!.filter(({ workflowExecutionSignaledEventAttributes: signal }) => signal)
    expect(signals.length).toBeLessThanOrEqual(2)
  })

  it('for a missing message does nothing', async () => {
    runs.wake('message', '00000000-0000-7000-8000-000000000000', [{ name: 'overdue' }])
    const id = await insertMessageRows(runs.db, { state: 'submitted' })
    runs.wake('message', id, [{ name: 'submitted' }])
    await untilObserved(id)
    await expect(runOf('00000000-0000-7000-8000-000000000000').describe()).rejects.toThrow()
  })

  it('of a run that is open reads no row', async () => {
    const id = await insertMessageRows(runs.db, { state: 'submitted' })
    runs.wake('message', id, [{ name: 'submitted' }])
    await untilObserved(id)
    await runs.db.updateTable('message').set({ version: sql`version + 1` }).where('id', '=', id).execute()
    const unreachable = countedDatabase('postgres://127.0.0.1:1/none')
    onTestFinished(() => unreachable.close())
    createWake({ ...runs.parts, db: unreachable.db })('message', id, [{ name: 'submitted' }], 'a unit')
    await untilObserved(id)
  })

  it('of a run that was taken to be open starts it', async () => {
    const id = await insertMessageRows(runs.db, { state: 'submitted' })
    runs.wake('message', id, [{ name: 'submitted' }], 'a unit')
    await untilObserved(id)
    const { searchAttributes } = await runOf(id).describe()
    expect(searchAttributes.CarillonState).toEqual(['submitted'])
  })

  it('waits for a time in thousands of years without wedging the run', async () => {
    const id = await insertMessageRows(runs.db, { state: 'submitted', expireIn: 7_000 * 365 * 86_400_000 })
    runs.wake('message', id, [{ name: 'submitted' }])
    await untilObserved(id)
    const timer = await eventually(async () => {
      const { events } = await runOf(id).fetchHistory()
      const started = events!.find(({ timerStartedEventAttributes: timer }) => timer)
      expect(started).toBeDefined()
      return started!.timerStartedEventAttributes!
    })
    expect(Number(timer.startToFireTimeout!.seconds)).toBe(365 * 86_400)
  })
})

describe('wakes of a crowd of runs', () => {
  const runs = forFile(openRuns)

  it('reach each of them: none is dropped or left to the reconciler', async () => {
    const crowd = 1_100
    const first = await insertMessageRows(runs.db, { state: 'submitted' })
    const { rows } = await sql<{ id: string }>`
      insert into message (unit_id, state, origin, category_id, title, audience, channel_plan, created_by)
      select unit_id, 'cancelled', origin, category_id, title, audience, channel_plan, created_by
      from message, generate_series(1, ${crowd}) where id = ${first} returning id`.execute(runs.db)
    const before = await valuesOf('carillon_wakes_total')
    for (const { id } of rows) runs.wake('message', id, [{ name: 'cancelled' }])
    await eventually(
      async () => {
        const { sent, failed, dropped } = await valuesOf('carillon_wakes_total')
        expect({ sent: sent! - before.sent!, failed, dropped }).toEqual({
          ...{ sent: crowd, failed: before.failed, dropped: before.dropped },
        })
      },
      { limitMs: 30_000 },
    )
  })

  it('hold up no run of another unit', async () => {
    const crowd = 1_100
    const [first, other] = [
      await insertMessageRows(runs.db, { state: 'submitted' }),
      await insertMessageRows(runs.db, { state: 'submitted' }),
    ]
    await sql`
      with unit as (insert into unit (name) values ('Another') returning id)
      update message set unit_id = unit.id from unit where message.id = ${other}`.execute(runs.db)
    const { rows } = await sql<{ id: string }>`
      insert into message (unit_id, state, origin, category_id, title, audience, channel_plan, created_by)
      select unit_id, 'cancelled', origin, category_id, title, audience, channel_plan, created_by
      from message, generate_series(1, ${crowd}) where id = ${first} returning id`.execute(runs.db)
    const before = await valuesOf('carillon_wakes_total')
    for (const { id } of rows) runs.wake('message', id, [{ name: 'cancelled' }])
    runs.wake('message', other, [{ name: 'submitted' }])
    const sent = async () => (await valuesOf('carillon_wakes_total')).sent! - before.sent!
    await eventually(() => runs.temporal.client.workflow.getHandle(workflowIdOf('message', other)).describe())
    expect(await sent()).toBeLessThan(crowd / 2)
    await eventually(async () => expect(await sent()).toBe(crowd + 1), { limitMs: 30_000 })
  })
})

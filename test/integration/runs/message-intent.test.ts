import { beforeAll, describe, expect, it } from 'vitest'
import { workflowIdOf } from '../../../src/domain/run/run-kinds.ts'
import { insertMessageRows, makeMove, messageRow } from '../../fixtures/message-rows.ts'
import { openRuns } from '../../fixtures/open-runs.ts'
import type { RunningWorker } from '../../fixtures/runs.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

describe.each([
  ['with runs kept in memory', {}],
  ['with every step replayed', { maxCachedWorkflows: 0 }],
])('the run of a message, %s', (_name, options) => {
  let worker: RunningWorker
  const runs = forFile(openRuns)
  beforeAll(async () => {
    worker = await runs.startWorker(options)
  })

  const db = () => runs.db
  const wake = (id: string) => runs.wake('message', id, [{ name: 'overdue' }])
  const closed = (id: string) =>
    eventually(async () => {
      const row = await messageRow(db(), id)
      expect(row.closed_at).not.toBeNull()
      return row
    })
  const statusOf = async (id: string) => {
    const run = await runs.temporal.client.workflow.getHandle(workflowIdOf('message', id)).describe()
    return run.status.name
  }
  /** The recipients the provider accepted, and the number of calls. */
  const sentOf = async (id: string) => {
    const calls = await runs.acceptedOf(id)
    const sentTo = calls.flatMap(({ to }) => to)
    expect(new Set(sentTo).size).toBe(sentTo.length)
    return { calls: calls.length, recipients: sentTo.length }
  }

  it('sends an approved message in several lanes, each batch once, and completes', async () => {
    const id = await insertMessageRows(db())
    wake(id)
    const row = await closed(id)
    expect(row.state).toBe('sent')
    expect(await sentOf(id)).toEqual({ calls: 6, recipients: 3_000 })
    await eventually(async () => expect(await statusOf(id)).toBe('COMPLETED'))
    expect(await messageRow(db(), id)).toMatchObject({ observed_version: row.version, next_wakeup_at: null })
  })

  it('sends to a few recipients by chat while it reads its row, without an activity', async () => {
    const id = await insertMessageRows(db(), { recipients: 200 })
    wake(id)
    expect((await closed(id)).state).toBe('sent')
    expect(await sentOf(id)).toEqual({ calls: 2, recipients: 200 })
    const run = runs.temporal.client.workflow.getHandle(workflowIdOf('message', id))
    await run.result()
    const { events } = await run.fetchHistory()
    expect(events!.filter(({ activityTaskScheduledEventAttributes: activity }) => activity)).toEqual([])
  })

  it('waits for the send time by Postgres’ clock, never starting early', async () => {
    const id = await insertMessageRows(db(), { sendIn: 1_500 })
    const due = (await messageRow(db(), id)).schedule_at!.getTime()
    wake(id)
    await closed(id)
    const at = (await runs.acceptedOf(id)).map((call) => Date.parse(call.at))
    expect(Math.min(...at)).toBeGreaterThanOrEqual(due)
  })

  it('expires an unapproved message, and sends nothing', async () => {
    const id = await insertMessageRows(db(), { state: 'submitted', expireIn: 1_000 })
    wake(id)
    expect((await closed(id)).state).toBe('expired')
    expect(await sentOf(id)).toEqual({ calls: 0, recipients: 0 })
  })

  it('ends a message that was cancelled while it waited', async () => {
    const id = await insertMessageRows(db(), { sendIn: 3_600_000 })
    wake(id)
    await eventually(async () => expect((await messageRow(db(), id)).observed_version).toBe(1))
    await makeMove(db(), id, 'cancel')
    runs.wake('message', id, [{ name: 'cancelled' }])
    expect((await closed(id)).state).toBe('cancelled')
    await eventually(async () => expect(await statusOf(id)).toBe('COMPLETED'))
  })

  it('stops while paused, and continues from where it was', async () => {
    runs.gate.mayPass = 0
    const id = await insertMessageRows(db())
    wake(id)
    await eventually(() => expect(runs.gate.waiting).toBe(4))
    await makeMove(db(), id, 'pause')
    wake(id)
    runs.gate.open()
    await eventually(async () => expect(await sentOf(id)).toEqual({ calls: 4, recipients: 2_000 }))
    await eventually(async () => {
      const row = await messageRow(db(), id)
      expect(row.observed_version).toBe(row.version)
    })
    expect(await sentOf(id)).toEqual({ calls: 4, recipients: 2_000 })
    await makeMove(db(), id, 'resume')
    wake(id)
    expect((await closed(id)).state).toBe('sent')
    expect(await sentOf(id)).toEqual({ calls: 6, recipients: 3_000 })
  })

  it('finishes the slice in flight when its worker is stopped, and another worker continues', async () => {
    runs.gate.mayPass = 0
    const id = await insertMessageRows(db())
    wake(id)
    // Waits for the calls, not for Temporal's started activities: one still on its way would run in the next worker.
    await eventually(() => expect(runs.gate.waiting).toBe(4))
    const stopped = worker.stop()
    runs.gate.open()
    await stopped
    expect(await sentOf(id)).toEqual({ calls: 4, recipients: 2_000 })
    worker = await runs.startWorker(options)
    expect((await closed(id)).state).toBe('sent')
    expect(await sentOf(id)).toEqual({ calls: 6, recipients: 3_000 })
  })
})

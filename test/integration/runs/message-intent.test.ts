import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messageRunId } from '../../../src/domain/run-names.ts'
import { makeMove, messageRow, plantMessage } from '../../fixtures/message-rows.ts'
import type { RunningWorker, RunsFixture } from '../../fixtures/runs.ts'
import { eventually } from '../../harness/eventually.ts'
import { openRuns } from './open-runs.ts'

describe.each([
  ['with runs kept in memory', {}],
  ['with every step replayed', { maxCachedWorkflows: 0 }],
])('the run of a message, %s', (_name, options) => {
  let runs: RunsFixture
  let worker: RunningWorker
  beforeAll(async () => {
    runs = await openRuns()
    worker = await runs.startWorker(options)
  })
  afterAll(() => runs.close())

  const db = () => runs.db
  const poke = (id: string) => runs.poke('message', id, 'changed')
  const closed = (id: string) =>
    eventually(async () => {
      const row = await messageRow(db(), id)
      expect(row.closed_at).not.toBeNull()
      return row
    })
  const statusOf = async (id: string) => {
    const run = await runs.temporal.client.workflow.getHandle(messageRunId(id)).describe()
    return run.status.name
  }
  const sentOf = (id: string) => runs.provider.sent.filter((batch) => batch.messageId === id)

  it('sends an approved message in several lanes, each batch once, and completes', async () => {
    const id = await plantMessage(db())
    poke(id)
    const row = await closed(id)
    expect(row.state).toBe('sent')
    expect(
      sentOf(id)
        .map(({ batch }) => batch)
        .sort(),
    ).toEqual([0, 1, 2, 3, 4, 5])
    await eventually(async () => expect(await statusOf(id)).toBe('COMPLETED'))
    expect(await messageRow(db(), id)).toMatchObject({ acked_version: row.version, next_look_at: null })
  })

  it('does all in one step for a few recipients in one channel', async () => {
    const id = await plantMessage(db(), { recipients: 200 })
    poke(id)
    expect((await closed(id)).state).toBe('sent')
    expect(sentOf(id)).toHaveLength(6)
  })

  it('waits for the send time by Postgres’ clock, never starting early', async () => {
    const id = await plantMessage(db(), { sendIn: 1_500 })
    const due = (await messageRow(db(), id)).schedule_at!.getTime()
    poke(id)
    await closed(id)
    expect(Math.min(...sentOf(id).map(({ at }) => at))).toBeGreaterThanOrEqual(due)
  })

  it('expires what nobody approved, and sends nothing', async () => {
    const id = await plantMessage(db(), { state: 'submitted', expireIn: 1_000 })
    poke(id)
    expect((await closed(id)).state).toBe('expired')
    expect(sentOf(id)).toEqual([])
  })

  it('ends a message that was cancelled while it waited', async () => {
    const id = await plantMessage(db(), { sendIn: 3_600_000 })
    poke(id)
    await eventually(async () => expect((await messageRow(db(), id)).acked_version).toBe(1))
    await makeMove(db(), id, 'cancel')
    runs.poke('message', id, 'cancellation')
    expect((await closed(id)).state).toBe('cancelled')
    await eventually(async () => expect(await statusOf(id)).toBe('COMPLETED'))
  })

  it('stands still while paused and goes on from where it was', async () => {
    runs.provider.mayPass = 3
    const id = await plantMessage(db())
    poke(id)
    await eventually(() => expect(sentOf(id)).toHaveLength(3))
    await makeMove(db(), id, 'pause')
    poke(id)
    runs.provider.mayPass = Number.POSITIVE_INFINITY
    await eventually(async () => {
      const row = await messageRow(db(), id)
      expect(row.acked_version).toBe(row.version)
    })
    expect(sentOf(id)).toHaveLength(3)
    await makeMove(db(), id, 'resume')
    poke(id)
    expect((await closed(id)).state).toBe('sent')
    expect(sentOf(id)).toHaveLength(6)
  })

  it('lets the slice under way finish when its worker is told to stop, and another goes on', async () => {
    runs.provider.mayPass = 0
    const id = await plantMessage(db())
    poke(id)
    // Not by what Temporal says has started: a step that is on its way to the worker then is left to the next one.
    await eventually(() => expect(runs.provider.underWay).toBe(4))
    const stopped = worker.stop()
    runs.provider.mayPass = Number.POSITIVE_INFINITY
    await stopped
    expect(sentOf(id)).toHaveLength(4)
    worker = await runs.startWorker(options)
    expect((await closed(id)).state).toBe('sent')
    expect(sentOf(id)).toHaveLength(6)
  })
})

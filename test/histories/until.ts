import { messageRunId } from '../../src/domain/run-names.ts'
import { messageRow } from '../fixtures/message-rows.ts'
import type { RunsFixture } from '../fixtures/runs.ts'
import { eventually } from '../harness/eventually.ts'

/** Waits until the run waits by a timer. */
export async function timerStarted(runs: RunsFixture, id: string): Promise<void> {
  await eventually(async () => {
    const { events } = await runs.temporal.client.workflow.getHandle(messageRunId(id)).fetchHistory()
    if (!events!.some(({ timerStartedEventAttributes: found }) => found)) throw new Error('no timer yet')
  })
}

/** Waits until somebody was told. */
export async function sentSome(runs: RunsFixture, id: string): Promise<void> {
  await eventually(() => {
    if (!runs.provider.sent.some(({ messageId }) => messageId === id)) throw new Error('nothing sent yet')
  })
}

/** Waits until the run waits for the next probe of its parked wave. */
export async function parkedSeen(runs: RunsFixture, id: string): Promise<void> {
  await eventually(async () => {
    const row = await messageRow(runs.db, id)
    const waits = row.next_look_at !== null && row.next_look_at.getTime() > Date.now() + 20_000
    if (row.problem !== 'provider' || !waits || row.acked_version !== row.version)
      throw new Error('not parked yet')
  })
}

/** Waits until the run has seen the newest version of its row. */
export async function looked(runs: RunsFixture, id: string): Promise<void> {
  await eventually(async () => {
    const row = await messageRow(runs.db, id)
    if (row.acked_version !== row.version) throw new Error(`${row.state} is not seen yet`)
  })
}

/** Waits until the message is closed and its run completed. */
export async function closed(runs: RunsFixture, id: string): Promise<string> {
  await eventually(async () => {
    const row = await messageRow(runs.db, id)
    if (!row.closed_at) throw new Error(`still ${row.state}`)
    const { status } = await runs.temporal.client.workflow.getHandle(messageRunId(id)).describe()
    if (status.name !== 'COMPLETED') throw new Error(`the run is ${status.name}`)
  })
  return id
}

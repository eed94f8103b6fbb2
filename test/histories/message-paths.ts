import { keysOf } from '../../src/contract/enums.ts'
import { workflowIdOf } from '../../src/domain/run/run-kinds.ts'
import { insertMessageRows, makeMove, messageRow } from '../fixtures/message-rows.ts'
import {
  waitForClosed,
  waitForFirstSend,
  waitForObserved,
  waitForParked,
  waitForState,
  waitForTimer,
} from '../fixtures/run-waits.ts'
import type { RunsFixture } from '../fixtures/runs.ts'
import { eventually } from '../harness/eventually.ts'

/** Every path a message can take. */
export const messagePaths: Record<string, (runs: RunsFixture) => Promise<string>> = {
  async sent(runs) {
    const id = await insertMessageRows(runs.db, { state: 'submitted' })
    runs.wake('message', id, [{ name: 'submitted' }])
    await waitForObserved(runs, id)
    await makeMove(runs.db, id, 'approve')
    runs.wake('message', id, [{ name: 'approved' }])
    return waitForClosed(runs, id)
  },

  async 'scheduled-then-sent'(runs) {
    const id = await insertMessageRows(runs.db, { sendIn: 1_000 })
    runs.wake('message', id, [{ name: 'approved' }])
    return waitForClosed(runs, id)
  },

  async 'sent-in-one-step'(runs) {
    const id = await insertMessageRows(runs.db, { recipients: 200 })
    runs.wake('message', id, [{ name: 'approved' }])
    return waitForClosed(runs, id)
  },

  async 'cancelled-while-waiting'(runs) {
    const id = await insertMessageRows(runs.db, { sendIn: 3_600_000 })
    runs.wake('message', id, [{ name: 'approved' }])
    await waitForObserved(runs, id)
    await makeMove(runs.db, id, 'cancel')
    runs.wake('message', id, [{ name: 'cancelled' }])
    return waitForClosed(runs, id)
  },

  async expired(runs) {
    const id = await insertMessageRows(runs.db, { state: 'submitted', expireIn: 1_000 })
    runs.wake('message', id, [{ name: 'submitted' }])
    return waitForClosed(runs, id)
  },

  async rejected(runs) {
    const id = await insertMessageRows(runs.db, { state: 'submitted' })
    runs.wake('message', id, [{ name: 'submitted' }])
    await waitForObserved(runs, id)
    await makeMove(runs.db, id, 'reject')
    runs.wake('message', id, [{ name: 'rejected' }])
    return waitForClosed(runs, id)
  },

  async withdrawn(runs) {
    const id = await insertMessageRows(runs.db, { state: 'submitted', expireIn: 3_600_000 })
    const moves = { withdraw: 'withdrawn', submit: 'submitted', reject: 'rejected' } as const
    runs.wake('message', id, [{ name: 'submitted' }])
    for (const move of keysOf(moves)) {
      await waitForObserved(runs, id)
      await waitForTimer(runs, id)
      await makeMove(runs.db, id, move)
      runs.wake('message', id, [{ name: moves[move] }])
    }
    return waitForClosed(runs, id)
  },

  async 'paused-and-resumed'(runs) {
    await runs.chat.fault({ delayMs: 300, times: 100 })
    const id = await insertMessageRows(runs.db)
    runs.wake('message', id, [{ name: 'approved' }])
    await waitForFirstSend(runs, id)
    return pauseAndResume(runs, id)
  },

  async 'drifted-back-to-review'(runs) {
    const id = await insertMessageRows(runs.db, { approvedFor: 100 })
    runs.wake('message', id, [{ name: 'approved' }])
    await waitForState(runs, id, 'submitted')
    await waitForObserved(runs, id)
    await makeMove(runs.db, id, 'approve')
    runs.wake('message', id, [{ name: 'approved' }])
    return waitForClosed(runs, id)
  },

  async 'provider-asks-to-wait'(runs) {
    await runs.chat.fault({ status: 429, retryAfter: 1, times: 4 })
    const id = await insertMessageRows(runs.db)
    runs.wake('message', id, [{ name: 'approved' }])
    await waitForTimer(runs, id)
    return waitForClosed(runs, id)
  },

  /** A step that changes nothing is not repeated at once. */
  async 'step-changes-nothing'(runs) {
    runs.faulty.resolveAudience = async () => {}
    const id = await insertMessageRows(runs.db)
    runs.wake('message', id, [{ name: 'approved' }])
    await waitForTimer(runs, id)
    runs.faulty.resolveAudience = undefined
    return waitForClosed(runs, id)
  },

  async stopped(runs) {
    await runs.chat.fault({ delayMs: 300, times: 100 })
    const id = await insertMessageRows(runs.db)
    runs.wake('message', id, [{ name: 'approved' }])
    await waitForFirstSend(runs, id)
    await makeMove(runs.db, id, 'stop')
    runs.wake('message', id, [{ name: 'stopped' }])
    await waitForClosed(runs, id)
    await runs.chat.recover()
    return id
  },

  async reminded(runs) {
    const id = await insertMessageRows(runs.db, { remindIn: 3_000 })
    runs.wake('message', id, [{ name: 'approved' }])
    return waitForClosed(runs, id)
  },

  async 'reminder-cancelled'(runs) {
    const id = await insertMessageRows(runs.db, { recipients: 200, remindIn: 3_600_000 })
    runs.wake('message', id, [{ name: 'approved' }])
    await waitForState(runs, id, 'sent')
    await waitForObserved(runs, id)
    await makeMove(runs.db, id, 'cancel')
    runs.wake('message', id, [{ name: 'cancelled' }])
    return waitForClosed(runs, id)
  },

  /** Both of an operator's signals: the first finds the provider still down. */
  async 'parked-retried-and-skipped'(runs) {
    await runs.chat.fault({ status: 401, times: 1_000 })
    const id = await insertMessageRows(runs.db)
    runs.wake('message', id, [{ name: 'approved' }])
    await waitForParked(runs, id)
    const run = runs.temporal.client.workflow.getHandle(workflowIdOf('message', id))
    await run.signal('retryParked')
    await eventually(async () => {
      const { version } = await messageRow(runs.db, id)
      if (version < 3) throw new Error('not retried yet')
    })
    await waitForParked(runs, id)
    await run.signal('skipParked')
    await waitForClosed(runs, id)
    await runs.chat.recover()
    return id
  },

  async 'parked-then-sent'(runs) {
    await runs.chat.fault({ status: 401, times: 1_000 })
    const id = await insertMessageRows(runs.db)
    runs.wake('message', id, [{ name: 'approved' }])
    await waitForParked(runs, id)
    await runs.chat.recover()
    await runs.temporal.client.workflow.getHandle(workflowIdOf('message', id)).signal('retryParked')
    return waitForClosed(runs, id)
  },

  /** Closes as Canceled; the run that the reconciler starts next is recorded as well. */
  async 'operator-cancel'(runs) {
    const id = await insertMessageRows(runs.db, { sendIn: 3_600_000 })
    runs.wake('message', id, [{ name: 'approved' }])
    await waitForObserved(runs, id)
    await runs.temporal.client.workflow.getHandle(workflowIdOf('message', id)).cancel()
    return waitForClosed(runs, id)
  },

  /** Pauses a message that a recipient may have received, while its slices are in flight. */
  async 'operator-cancel-while-sending'(runs) {
    await runs.chat.fault({ delayMs: 300, times: 100 })
    const id = await insertMessageRows(runs.db)
    runs.wake('message', id, [{ name: 'approved' }])
    await waitForFirstSend(runs, id)
    await runs.temporal.client.workflow.getHandle(workflowIdOf('message', id)).cancel()
    await waitForState(runs, id, 'paused')
    await waitForObserved(runs, id)
    await runs.chat.recover()
    await makeMove(runs.db, id, 'resume')
    runs.wake('message', id, [{ name: 'resumed' }])
    return waitForClosed(runs, id)
  },

  /** A history that is long enough continues as new. */
  async 'continued-as-new'(runs) {
    const id = await insertMessageRows(runs.db, { sendIn: 3_600_000 })
    runs.wake('message', id, [{ name: 'approved' }])
    await waitForObserved(runs, id)
    const run = runs.temporal.client.workflow.getHandle(workflowIdOf('message', id))
    for (let round = 0; round < 20; round += 1)
      await Promise.all(Array.from({ length: 40 }, () => run.signal('overdue')))
    await makeMove(runs.db, id, 'cancel')
    runs.wake('message', id, [{ name: 'cancelled' }])
    return waitForClosed(runs, id)
  },
}

/** Pauses a send whose calls are slow, and resumes it once its run has seen that. Ends with the message. */
export async function pauseAndResume(runs: RunsFixture, id: string): Promise<string> {
  await makeMove(runs.db, id, 'pause')
  runs.wake('message', id, [{ name: 'paused' }])
  await waitForObserved(runs, id)
  await runs.chat.recover()
  await makeMove(runs.db, id, 'resume')
  runs.wake('message', id, [{ name: 'resumed' }])
  return waitForClosed(runs, id)
}

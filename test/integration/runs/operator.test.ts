import { defineSearchAttributeKey } from '@temporalio/common'
import { beforeAll, describe, expect, it } from 'vitest'
import { workflowIdOf } from '../../../src/domain/run/run-kinds.ts'
import {
  auditOf,
  insertMessageRows,
  makeMove,
  messageRow,
  reachSendTime,
} from '../../fixtures/message-rows.ts'
import { openRuns } from '../../fixtures/open-runs.ts'
import { waitForParked } from '../../fixtures/run-waits.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

const problemKey = defineSearchAttributeKey('CarillonProblem', 'KEYWORD')

describe('an operator in the Temporal UI', () => {
  const runs = forFile(openRuns)
  beforeAll(async () => {
    await runs.startWorker()
  })

  const runOf = (id: string) => runs.temporal.client.workflow.getHandle(workflowIdOf('message', id))
  /** How many recipients the provider accepted; none twice. */
  const recipientsOf = async (id: string) => {
    const sentTo = (await runs.acceptedOf(id)).flatMap(({ to }) => to)
    expect(new Set(sentTo).size).toBe(sentTo.length)
    return sentTo.length
  }

  async function waiting(): Promise<string> {
    const id = await insertMessageRows(runs.db, { sendIn: 3_600_000 })
    runs.wake('message', id, [{ name: 'approved' }])
    await eventually(async () => expect((await messageRow(runs.db, id)).observed_version).toBe(1))
    return id
  }

  /** A message with one batch sent and four in flight. */
  async function sending(): Promise<string> {
    runs.gate.mayPass = 1
    const id = await insertMessageRows(runs.db)
    runs.wake('message', id, [{ name: 'approved' }])
    await eventually(async () => expect([await recipientsOf(id), runs.gate.waiting]).toEqual([500, 4]))
    return id
  }

  async function ended(id: string, state: string): Promise<void> {
    await eventually(async () => {
      expect(await messageRow(runs.db, id)).toMatchObject({ state, closed_at: expect.any(Date) })
      expect((await runOf(id).describe()).status.name).toBe('COMPLETED')
    })
  }

  it('cancels a message that waits; the run closes as Canceled and the next one completes', async () => {
    const id = await waiting()
    const { runId } = await runOf(id).describe()
    await runOf(id).cancel()
    await ended(id, 'cancelled')
    const cancelled = runs.temporal.client.workflow.getHandle(workflowIdOf('message', id), runId)
    expect((await cancelled.describe()).status.name).toBe('CANCELLED')
    expect(await auditOf(runs.db, id)).toContainEqual({ actor: 'operator:temporal', action: 'cancel' })
  })

  it('pauses a message that recipients may have received; the next run accepts a resume', async () => {
    const id = await sending()
    await runOf(id).cancel()
    await eventually(async () => expect((await messageRow(runs.db, id)).state).toBe('paused'))
    expect(await auditOf(runs.db, id)).toContainEqual({ actor: 'operator:temporal', action: 'pause' })
    runs.gate.open()
    await eventually(async () => {
      const { observed_version, version } = await messageRow(runs.db, id)
      expect(observed_version).toBe(version)
    })
    await eventually(async () => expect(await recipientsOf(id)).toBe(2_500))

    await makeMove(runs.db, id, 'resume')
    runs.wake('message', id, [{ name: 'overdue' }])
    await ended(id, 'sent')
    expect(await recipientsOf(id)).toBe(3_000)
  })

  it('changes nothing by cancelling twice', async () => {
    const id = await waiting()
    await Promise.all([runOf(id).cancel(), runOf(id).cancel()])
    await ended(id, 'cancelled')
  })

  it('changes nothing by terminating: the run is restarted at the send time and sends once', async () => {
    const id = await waiting()
    await runOf(id).terminate('a test')
    await reachSendTime(runs.db, id)
    await ended(id, 'sent')
    expect(await recipientsOf(id)).toBe(3_000)
  })

  it('changes nothing by terminating in the middle of a send', async () => {
    const id = await sending()
    await runOf(id).terminate('a test')
    runs.gate.open()
    // The row was observed less than a minute ago; `carillon reconcile` and the next change are faster.
    await makeMove(runs.db, id, 'pause')
    await makeMove(runs.db, id, 'resume')
    await ended(id, 'sent')
    expect(await recipientsOf(id)).toBe(3_000)
  })

  it('changes nothing by a reset: no effect is repeated', async () => {
    const id = await insertMessageRows(runs.db)
    runs.wake('message', id, [{ name: 'approved' }])
    await ended(id, 'sent')
    const { events } = await runOf(id).fetchHistory()
    const task = events!.find(({ workflowTaskCompletedEventAttributes: completion }) => completion)!
    await runs.temporal.connection.workflowService.resetWorkflowExecution({
      namespace: runs.temporal.namespace,
      workflowExecution: { workflowId: workflowIdOf('message', id) },
      workflowTaskFinishEventId: task.eventId,
      requestId: crypto.randomUUID(),
      reason: 'a test',
    })
    await eventually(async () => expect((await runOf(id).describe()).status.name).toBe('COMPLETED'))
    expect(await recipientsOf(id)).toBe(3_000)
  })

  it('finds a parked send, reads why it is parked, and retries it or skips the rest', async () => {
    await runs.chat.fault({ status: 401, times: 1_000 })
    const id = await insertMessageRows(runs.db)
    runs.wake('message', id, [{ name: 'approved' }])
    const parked = () =>
      eventually(async () => {
        const { typedSearchAttributes } = await runOf(id).describe()
        expect(typedSearchAttributes.get(problemKey)).toBe('provider')
        const { currentDetails } = await runOf(id).query<{ currentDetails: string }>(
          '__temporal_workflow_metadata',
        )
        expect(currentDetails).toMatch(
          /waiting for the provider, until 20.*\*\*Parked\*\* since .*retryParked/s,
        )
      })
    await waitForParked(runs, id)
    await parked()

    await runs.chat.recover()
    await runOf(id).signal('retryParked')
    await ended(id, 'sent')
    expect(await recipientsOf(id)).toBe(3_000)
    expect(await auditOf(runs.db, id)).toContainEqual({ actor: 'operator:temporal', action: 'retry' })
    expect((await runOf(id).describe()).typedSearchAttributes.get(problemKey)).toBeUndefined()
  })

  it('skips the remaining recipients of a parked send', async () => {
    await runs.chat.fault({ status: 401, times: 1_000 })
    const id = await insertMessageRows(runs.db)
    runs.wake('message', id, [{ name: 'approved' }])
    await eventually(async () => expect(await messageRow(runs.db, id)).toMatchObject({ problem: 'provider' }))
    await runOf(id).signal('skipParked')
    await ended(id, 'sent')
    await runs.chat.recover()
    expect(await recipientsOf(id)).toBe(0)
    expect(await auditOf(runs.db, id)).toContainEqual({ actor: 'operator:temporal', action: 'skip' })
  })

  it('changes nothing by a signal if nothing is parked', async () => {
    const id = await waiting()
    await runOf(id).signal('skipParked')
    await eventually(async () => {
      const { events } = await runOf(id).fetchHistory()
      const completions = events!.filter((event) => event.activityTaskCompletedEventAttributes)
      expect(completions.length).toBeGreaterThan(0)
    })
    expect(await messageRow(runs.db, id)).toMatchObject({ state: 'approved', version: 1 })
    await runOf(id).cancel()
    await ended(id, 'cancelled')
  })

  it('finds a run by its search attributes and reads what it waits for', async () => {
    const id = await waiting()
    const query =
      `CarillonState = 'approved' and CarillonCategory = 'grades' and CarillonSendAt > '2026-01-01T00:00:00Z' ` +
      `and CarillonUnitName = '教務處' and CarillonPeople >= 0`
    await eventually(async () => {
      const ids: string[] = []
      for await (const run of runs.temporal.client.workflow.list({ query })) ids.push(run.workflowId)
      expect(ids).toContain(workflowIdOf('message', id))
    })
    const details = await runOf(id).query<{ currentDetails: string }>('__temporal_workflow_metadata')
    expect(details.currentDetails).toMatch(/\*\*approved\*\*: waiting for its send time, until 2026-/)
    const run = await runOf(id).describe()
    expect(await run.staticSummary()).toMatch(/^grades from 教務處, scheduled for 2026-/)
    expect(await run.staticDetails()).not.toMatch(/to be sent|waiting/)
  })
})

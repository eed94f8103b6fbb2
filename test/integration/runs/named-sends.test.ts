import { beforeAll, expect, it } from 'vitest'
import { workflowIdOf } from '../../../src/domain/run/run-kinds.ts'
import { insertMessageRows } from '../../fixtures/message-rows.ts'
import { openRuns } from '../../fixtures/open-runs.ts'
import { waitForClosed } from '../../fixtures/run-waits.ts'
import { forFile } from '../../harness/for-file.ts'

const runs = forFile(openRuns)
beforeAll(async () => {
  await runs.startWorker()
})

/** The activities in the history of a message's run, in order, with their summaries; local ones too. */
async function activitiesOf(id: string): Promise<string[]> {
  const handle = runs.temporal.client.workflow.getHandle(workflowIdOf('message', id))
  const { events } = await handle.fetchHistory()
  const textOf = (data?: Uint8Array | null) => JSON.parse(Buffer.from(data ?? []).toString())
  return events!.flatMap((event) => {
    const local = event.markerRecordedEventAttributes?.details?.data?.payloads?.[0]?.data
    const name = local
      ? textOf(local).activity_type
      : event.activityTaskScheduledEventAttributes?.activityType?.name
    const summary = event.userMetadata?.summary?.data
    return name ? [`${name}: ${summary ? textOf(summary) : ''}`] : []
  })
}

it('a small message is sent by a step of that name, whose summary says what it does, and not by a reading', async () => {
  const id = await insertMessageRows(runs.db, { recipients: 1 })
  runs.wake('message', id, [{ name: 'approved' }])
  await waitForClosed(runs, id)
  expect(await activitiesOf(id)).toEqual([
    'nextStep: signal approved',
    'sendInOneStep: approved, version 1: audience, quota and chat for 1 person',
  ])
  expect(await runs.acceptedOf(id)).toHaveLength(1)
})

import { beforeAll, expect, it } from 'vitest'
import { insertMessageRows } from '../../fixtures/message-rows.ts'
import { openWorkingRuns } from '../../fixtures/open-runs.ts'
import { historiesOf } from '../../fixtures/run-histories.ts'
import { waitForClosed, warmUp } from '../../fixtures/run-waits.ts'
import { forFile } from '../../harness/for-file.ts'

const runs = forFile(openWorkingRuns)
beforeAll(() => warmUp(runs))

/** The activities in the history of a message's first run, in order, with their summaries; local ones too. */
async function activitiesOf(id: string): Promise<string[]> {
  const [history] = await historiesOf(runs, 'message', id)
  const { events } = history!
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
  const activities = await activitiesOf(id)
  const readings = activities.filter((one) => one.startsWith('readMessage: signal '))
  expect(activities.slice(readings.length)).toEqual([
    'sendSmallWave: approved, version 1: audience, quota and chat for 1 person',
  ])
  expect(await runs.acceptedOf(id)).toHaveLength(1)
})

import type { History } from '@temporalio/common/lib/proto-utils.js'

/** A life in lines that a person can read. */

/** Between each two steps the row is read: that would be every other line. The reconciler's signal comes by chance. */
const leftOut = { readings: ['readMessage', 'advanceRun', 'readSchedule'], signals: ['overdue'] }

/**
 * A history as lines, each a thing that happened by its name, with what its summary says, without ids and times. Workflow
 * tasks and readings are left out, and what is repeated is told once: the slices of a wave, the tries of one that is held up.
 */
export function asText({ events }: History): string {
  const lines = (events ?? []).flatMap(lineOf).map(withoutIds)
  return toldOnce(lines).join('\n')
}

/** Without what repeats the one, two or three lines before it. */
function toldOnce(lines: string[]): string[] {
  const told: string[] = []
  for (const line of lines) {
    told.push(line)
    for (const size of [1, 2, 3]) {
      const [before, last] = [told.slice(-2 * size, -size), told.slice(-size)]
      if (before.length === size && before.join() === last.join()) told.splice(-size)
    }
  }
  return told
}

type Event = NonNullable<History['events']>[number]

function lineOf(event: Event): string[] {
  const summary = textIn(event.userMetadata?.summary?.data)
  const started = event.workflowExecutionStartedEventAttributes
  if (started) return [`${started.workflowType?.name} begins`]
  const signal = event.workflowExecutionSignaledEventAttributes?.signalName
  if (signal) return leftOut.signals.includes(signal) ? [] : [`  signal ${signal}`]
  const marker = event.markerRecordedEventAttributes?.details?.data?.payloads?.[0]?.data
  const activity =
    (marker && textIn(marker).activity_type) ?? event.activityTaskScheduledEventAttributes?.activityType?.name
  if (activity) return leftOut.readings.includes(activity) ? [] : [stepOf(activity, summary)]
  if (event.timerStartedEventAttributes) return [`  timer: ${summary}`]
  if (event.timerFiredEventAttributes) return ['  the timer fires']
  if (event.workflowExecutionCancelRequestedEventAttributes) return ['  Request Cancellation']
  const completed = event.workflowExecutionCompletedEventAttributes
  if (completed) return [`ends: ${textIn(completed.result?.payloads?.[0]?.data)}`]
  if (event.workflowExecutionCanceledEventAttributes) return ['ends: Canceled']
  return []
}

/** The lanes of a wave are many, and finish in any order. */
function stepOf(activity: string, summary: string): string {
  const [channel] = /\w+(?=, lane )/.exec(summary) ?? []
  return channel ? `  ${activity}: ${channel}, in lanes` : `  ${activity}: ${summary}`
}

function textIn(data?: Uint8Array | null): ReturnType<typeof JSON.parse> {
  return data ? JSON.parse(Buffer.from(data).toString()) : ''
}

function withoutIds(line: string): string {
  return line
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…')
    .replace(/, until \S+/g, ', until its time')
    .replace(/\d{4}-\d{2}-\d{2}T\S+Z/g, 'its time')
}

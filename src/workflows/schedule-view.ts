import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common'
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'
import type { ObservedScheduleStep } from '../activities/schedule.ts'
import { searchAttributes } from '../domain/run/temporal-names.ts'
import type { ScheduleWait } from '../domain/schedule/next-step.ts'

/** What the Temporal UI shows of a schedule: times and counts, never what it makes. */

const stateKey = defineSearchAttributeKey('CarillonState', searchAttributes.CarillonState)
const problemKey = defineSearchAttributeKey('CarillonProblem', searchAttributes.CarillonProblem)
const sendAtKey = defineSearchAttributeKey('CarillonSendAt', searchAttributes.CarillonSendAt)

/** Updates the run's search attributes where it may stay for long. */
export function showScheduleInUi(step: ObservedScheduleStep): void {
  if (!step.view || step.do === 'makeOccurrence') return
  const { state, problem, nextAt } = step.view
  const shown = workflowInfo().typedSearchAttributes
  const changed: SearchAttributeUpdatePair[] = []
  if (shown.get(stateKey) !== state) changed.push({ key: stateKey, value: state })
  if ((shown.get(problemKey) ?? null) !== problem) changed.push({ key: problemKey, value: problem })
  if ((shown.get(sendAtKey)?.toISOString() ?? null) !== nextAt)
    changed.push({ key: sendAtKey, value: nextAt === null ? null : new Date(nextAt) })
  if (changed.length > 0) upsertSearchAttributes(changed)
}

/** What a step has read, for the summaries of what follows from it. */
export function scheduleSummaryOf(step: ObservedScheduleStep): string {
  switch (step.do) {
    case 'wait':
      return `waiting for ${waitedFor[step.for]}${step.until === null ? '' : `, until ${step.until}`}`
    case 'makeOccurrence':
      return `making what was due at ${step.view.nextAt}`
    case 'end':
      return 'ended'
  }
}

/** Why the row is read: a signal that came, or the step after which it is. */
export function scheduleReadingOf(last: ObservedScheduleStep | null, signal: string | null): string {
  const before = last?.view ? `; was ${last.view.state}` : ''
  if (signal !== null) return `signal ${signal}${before}`
  if (last === null) return 'the run begins'
  return last.do === 'wait'
    ? `end of waiting for ${waitedFor[last.for]}${before}`
    : `after ${last.do}${before}`
}

/** Markdown: the state, the next step, and what keeps failing. */
export function scheduleDetailsOf(step: ObservedScheduleStep): string {
  const { view } = step
  if (!view) return 'The schedule no longer exists.'
  const lines = [`**${view.state}**: ${scheduleSummaryOf(step)}`]
  if (view.failures > 0) lines.push('', `Occurrences in a row that made nothing: ${view.failures}.`)
  if (view.problem) lines.push('', `**Problem**: ${view.problem}. Signal \`retryParked\` to retry now.`)
  lines.push('', `Category ${view.categoryId}, unit ${view.unitId}.`)
  return lines.join('\n')
}

const waitedFor: Record<ScheduleWait, string> = {
  time: 'its next time',
  enabling: 'an editor to enable it',
  retry: 'the next retry of a step that keeps failing',
}

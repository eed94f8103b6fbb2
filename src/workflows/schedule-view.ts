import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common'
import type { ScheduleReading } from '../activities/schedule.ts'
import { searchAttributes } from '../domain/run/temporal-names.ts'

/** What the Temporal UI shows of a schedule: times and counts, never what it makes. */

const stateKey = defineSearchAttributeKey('CarillonState', searchAttributes.CarillonState)
const problemKey = defineSearchAttributeKey('CarillonProblem', searchAttributes.CarillonProblem)
const sendAtKey = defineSearchAttributeKey('CarillonSendAt', searchAttributes.CarillonSendAt)

export const scheduleView = { nameOf, detailsOf, attributesOf }

function nameOf({ state }: ScheduleReading): string {
  return state
}

/** The state, what the run does, and what keeps failing. */
function detailsOf({ state, failures, problem, categoryId, unitId }: ScheduleReading, doing: string): string {
  const lines = [`**${state}**: ${doing}`]
  if (failures > 0) lines.push('', `Occurrences in a row that made nothing: ${failures}.`)
  if (problem) lines.push('', `**Problem**: ${problem}. Signal \`retryParked\` to retry now.`)
  lines.push('', `Category ${categoryId}, unit ${unitId}.`)
  return lines.join('\n')
}

function attributesOf({ state, problem, nextAt }: ScheduleReading): SearchAttributeUpdatePair[] {
  return [
    { key: stateKey, value: state },
    { key: problemKey, value: problem },
    { key: sendAtKey, value: nextAt === null ? null : new Date(nextAt) },
  ]
}

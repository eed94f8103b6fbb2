import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common'
import type { RunReading } from '../activities/scenario/run-reading.ts'
import { searchAttributes } from '../domain/run/temporal-names.ts'

/**
 * What the Temporal UI shows of a conversation: never what was said or answered, and of its nodes no id: a kind until the
 * first answer, and nothing of the way that follows from it.
 */

const stateKey = defineSearchAttributeKey('CarillonState', searchAttributes.CarillonState)
const problemKey = defineSearchAttributeKey('CarillonProblem', searchAttributes.CarillonProblem)

export const scenarioView = { nameOf, detailsOf, attributesOf }

function nameOf({ state, kind }: RunReading): string {
  return kind === null ? state : `at a ${kind} node`
}

function detailsOf(talk: RunReading, doing: string): string {
  const { state, problem, categoryId, unitId } = talk
  const lines = [`**${state}**: ${doing}`]
  if (problem) lines.push('', `**Problem**: ${problem}. Signal \`retryParked\` to retry now.`)
  lines.push('', `Category ${categoryId}, unit ${unitId}.`)
  return lines.join('\n')
}

function attributesOf({ state, problem }: RunReading): SearchAttributeUpdatePair[] {
  return [
    { key: stateKey, value: state },
    { key: problemKey, value: problem },
  ]
}

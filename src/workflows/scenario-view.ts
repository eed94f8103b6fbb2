import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common'
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'
import type { ObservedRunStep } from '../activities/scenario/advance-run.ts'
import { searchAttributes } from '../domain/run/temporal-names.ts'
import type { RunWait } from '../domain/scenario/advance.ts'

/** What the Temporal UI shows of a run of a scenario: nodes by their ids, never what was said or answered. */

const stateKey = defineSearchAttributeKey('CarillonState', searchAttributes.CarillonState)
const problemKey = defineSearchAttributeKey('CarillonProblem', searchAttributes.CarillonProblem)

/** Updates the run's search attributes where it may stay for long. */
export function showRunInUi(step: ObservedRunStep): void {
  if (!step.view || (step.do !== 'wait' && step.do !== 'end')) return
  const { state, problem } = step.view
  const shown = workflowInfo().typedSearchAttributes
  const changed: SearchAttributeUpdatePair[] = []
  if (shown.get(stateKey) !== state) changed.push({ key: stateKey, value: state })
  if ((shown.get(problemKey) ?? null) !== problem) changed.push({ key: problemKey, value: problem })
  if (changed.length > 0) upsertSearchAttributes(changed)
}

/** What a step has read, for the summaries of what follows from it. */
export function runSummaryOf(step: ObservedRunStep): string {
  const { view } = step
  return view ? `at ${view.path.at(-1) ?? 'the start'}: ${sentenceOf(step)}` : sentenceOf(step)
}

/** Why the row is read: a signal that came, or the step after which it is. */
export function runReadingOf(last: ObservedRunStep | null, signal: string | null): string {
  const before = last?.view ? `; was ${last.view.state} at ${last.view.path.at(-1) ?? 'the start'}` : ''
  if (signal !== null) return `signal ${signal}${before}`
  if (last === null) return 'the run begins'
  return last.do === 'wait'
    ? `end of waiting for ${waitedFor[last.for]}${before}`
    : `after ${last.do}${before}`
}

/** Markdown: the state, the next step, and the way so far. */
export function runDetailsOf(step: ObservedRunStep): string {
  const { view } = step
  if (!view) return 'The run no longer exists.'
  const node = view.path.at(-1)
  const lines = [`**${view.state}**${node === undefined ? '' : ` at \`${node}\``}: ${sentenceOf(step)}`]
  if (view.problem) lines.push('', `**Problem**: ${view.problem}. Signal \`retryParked\` to retry now.`)
  if (view.path.length > 0) lines.push('', `Way: ${view.path.map((node) => `\`${node}\``).join(' → ')}`)
  lines.push('', `Category ${view.categoryId}, unit ${view.unitId}.`)
  return lines.join('\n')
}

function sentenceOf(step: ObservedRunStep): string {
  switch (step.do) {
    case 'wait':
      return `waiting for ${waitedFor[step.for]}${step.until === null ? '' : `, until ${step.until}`}`
    case 'sayTurn':
      return `sending the next messages by ${step.channel}`
    case 'lookUp':
      return 'asking the endpoint of the Lookup'
    case 'end':
      return 'ended'
  }
}

const waitedFor: Record<RunWait, string> = {
  answer: 'an answer',
  handoff: 'a person of the unit to close the handoff',
  place: 'a place of the pattern',
  time: 'its time',
  resume: 'a person to resume the scenario',
  retirement: 'its end, because the scenario is retired',
  provider: 'the provider',
  quota: 'quota',
  'quiet hours': 'the end of the quiet hours',
  pendingEvents: 'what the person did in time to be read',
  retry: 'the next retry of a step that keeps failing',
  rendering: 'steps of rendering: the unit has used up those of the last minute',
}

import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common'
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'
import type { ObservedStep } from '../activities/next-step.ts'
import type { Problem } from '../contract/enums.ts'
import type { WaitReason } from '../domain/message/next-step.ts'
import { searchAttributes } from '../domain/run/temporal-names.ts'

/** What the Temporal UI shows of a run, for readers who do not know the code. */

const stateKey = defineSearchAttributeKey('CarillonState', searchAttributes.CarillonState)
const peopleKey = defineSearchAttributeKey('CarillonPeople', searchAttributes.CarillonPeople)
const problemKey = defineSearchAttributeKey('CarillonProblem', searchAttributes.CarillonProblem)

type View = NonNullable<ObservedStep['view']>
type Parked = NonNullable<View['parked']>

/** Steps in which a run may stay for long; search attributes are updated only at these. */
const lastingSteps: ReadonlySet<ObservedStep['do']> = new Set(['wait', 'sendWave', 'end'])

/** Updates the run's search attributes at lasting steps. */
export function showInUi(step: ObservedStep): void {
  if (lastingSteps.has(step.do) && step.view) upsertChanged(step.view)
}

/**
 * The number of people joins an upsert that is due anyway, in runs that were started with one: a further upsert would
 * be a further command, and the attribute may be unknown to the server of an older run.
 */
function upsertChanged({ state, parked, people = null }: View): void {
  const problem = parked?.problem ?? null
  const shown = workflowInfo().typedSearchAttributes
  const changed: SearchAttributeUpdatePair[] = []
  if (shown.get(stateKey) !== state) changed.push({ key: stateKey, value: state })
  if ((shown.get(problemKey) ?? null) !== problem) changed.push({ key: problemKey, value: problem })
  if (changed.length === 0) return
  const peopleShown = shown.get(peopleKey)
  if (people !== null && peopleShown !== undefined && peopleShown !== people)
    changed.push({ key: peopleKey, value: people })
  upsertSearchAttributes(changed)
}

/** What a step has read, for the summaries of what follows from it. */
export function summaryOf(step: ObservedStep): string {
  const { view } = step
  return view ? `${view.state}, version ${view.version}: ${sentenceOf(step)}` : sentenceOf(step)
}

/** Why the row is read: a signal that came, or the step after which it is; and what it said before. */
export function readingOf(last: ObservedStep | null, signal: string | null): string {
  const before = last?.view ? `; was ${last.view.state}, version ${last.view.version}` : ''
  if (signal !== null) return `signal ${signal}${before}`
  if (last === null) return 'the run begins'
  return last.do === 'wait'
    ? `end of waiting for ${waitedFor[last.for]}${before}`
    : `after ${last.do}${before}`
}

/** Markdown: the state, the next step, and deliveries by outcome. */
export function detailsOf(step: ObservedStep): string {
  const { view } = step
  if (!view) return 'The message no longer exists.'
  const lines = [`**${view.state}**: ${sentenceOf(step)}`]
  if (view.parked) lines.push('', parkedSentence(view.parked))
  if (view.counts.length > 0) lines.push('', ...countsTable(view.counts))
  lines.push('', `Category ${view.categoryId}, unit ${view.unitId}, origin ${view.origin}.`)
  return lines.join('\n')
}

function parkedSentence({ problem, since, probeAt, othersContinue }: Parked): string {
  const why = othersContinue
    ? `some recipients keep failing (${problems[problem]}); the others continue`
    : problems[problem]
  return (
    `**Parked** since ${since}: ${why}. Next retry at ${probeAt}. ` +
    'Signal `retryParked` to retry now, `skipParked` to skip the remaining recipients.'
  )
}

const problems: Record<Problem, string> = {
  provider: 'the provider does not respond or rejects the account',
  provider_quota: "the provider's monthly limit is exhausted",
  quota: 'the quota of the unit and the pool is exhausted',
  unknown_recipients: 'the mail server knows too few recipients to be believed',
  internal: "a step keeps failing inside Carillon; the worker's log says why",
}

function countsTable(counts: View['counts']): string[] {
  const row = (cells: unknown[]) => `| ${cells.join(' | ')} |`
  return [
    row(['deliveries', 'expected', 'sent', 'skipped', 'failed', 'unknown']),
    row(['---', '---', '---', '---', '---', '---']),
    ...counts.map(({ of, expected, sent, skipped, failed, unknown }) =>
      row([of, expected, sent, skipped, failed, unknown]),
    ),
  ]
}

/** The next step in one line. */
export function sentenceOf(step: ObservedStep): string {
  switch (step.do) {
    case 'wait':
      return waitSentence(step)
    case 'expireMessage':
      return 'expired; closing'
    case 'resolveAudience':
      return 'due; writing a delivery for every recipient'
    case 'reserveQuota':
      return 'reserving quota for the deliveries'
    case 'sendInOneStep':
      return `audience, quota and ${step.channel} for ${peopleOf(step.view)}`
    case 'sendWave':
      return `sending through ${Object.keys(step.lanes).join(' and ')}`
    case 'finishWave':
      return 'finishing the wave, closing the message'
    case 'end':
      return 'closed'
  }
}

function peopleOf({ people = null }: View): string {
  if (people === null) return 'a small wave'
  return people === 1 ? '1 person' : `${people} people`
}

function waitSentence({ for: what, until }: Extract<ObservedStep, { do: 'wait' }>): string {
  return until === null ? `waiting for ${waitedFor[what]}` : `waiting for ${waitedFor[what]}, until ${until}`
}

const waitedFor: Record<WaitReason, string> = {
  submission: 'its submission',
  approval: 'an approval',
  'send time': 'its send time',
  pace: 'its pace',
  resume: 'a person to resume it',
  provider: 'the provider',
  quota: 'quota',
  'reminder time': 'the time of its reminder',
  'quiet hours': 'the end of the quiet hours',
  retry: 'the next retry of a step that keeps failing',
}

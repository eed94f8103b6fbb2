import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common'
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'
import type { ObservedStep } from '../activities/next-step.ts'
import type { Problem } from '../contract/enums.ts'
import type { WaitReason } from '../domain/next-step.ts'
import { searchAttributes } from '../domain/temporal-names.ts'

/** What the Temporal UI shows of a run. Everything here is read by a person who does not know the code. */

const stateKey = defineSearchAttributeKey('CarillonState', searchAttributes.CarillonState)
const problemKey = defineSearchAttributeKey('CarillonProblem', searchAttributes.CarillonProblem)

type View = NonNullable<ObservedStep['view']>
type Parked = NonNullable<View['parked']>

/** Steps at which a run stays for a while: only there the search attributes follow. */
const stays: ReadonlySet<ObservedStep['do']> = new Set(['wait', 'send', 'end'])

/** Shows where the run stands: in its details always, in its search attributes where it stays. */
export function showInUi(look: ObservedStep): void {
  setCurrentDetails(detailsOf(look))
  if (stays.has(look.do) && look.view) upsertChanged(look.view)
}

function upsertChanged({ state, parked }: View): void {
  const problem = parked?.problem ?? null
  const shown = workflowInfo().typedSearchAttributes
  const changed: SearchAttributeUpdatePair[] = []
  if (shown.get(stateKey) !== state) changed.push({ key: stateKey, value: state })
  if ((shown.get(problemKey) ?? null) !== problem) changed.push({ key: problemKey, value: problem })
  if (changed.length > 0) upsertSearchAttributes(changed)
}

/** A few lines of Markdown: the state, what comes next, and how many deliveries came to what. */
export function detailsOf(look: ObservedStep): string {
  const { view } = look
  if (!view) return 'There is no such message any more.'
  const lines = [`**${view.state}**: ${sentenceOf(look)}`]
  if (view.parked) lines.push('', parkedSentence(view.parked))
  if (view.counts.length > 0) lines.push('', ...countsTable(view.counts))
  lines.push('', `Category ${view.categoryId}, unit ${view.unitId}, made by ${view.origin}.`)
  return lines.join('\n')
}

function parkedSentence({ problem, since, probeAt, othersGoOn }: Parked): string {
  const why = othersGoOn
    ? `some recipients keep failing (${problems[problem]}), the others go on`
    : problems[problem]
  return (
    `**Parked** since ${since}: ${why}. It tries again at ${probeAt}; ` +
    'signal `retryParked` makes it try now, `skipParked` gives up who is left.'
  )
}

const problems: Record<Problem, string> = {
  provider: 'the provider does not answer, or refuses our account',
  provider_quota: "the provider's monthly number is used up",
  quota: 'the quota of the unit and the pool is used up',
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

/** What the run is about to do, in one line; also the summary of its timers. */
export function sentenceOf(look: ObservedStep): string {
  switch (look.do) {
    case 'wait':
      return waitSentence(look)
    case 'expire':
      return 'its time is over; it expires'
    case 'start':
    case 'express':
      return 'its time has come; it starts'
    case 'rows':
      return 'writes a row for every recipient'
    case 'send':
      return `sends through ${Object.keys(look.lanes).join(' and ')}`
    case 'finish':
      return 'settles what is left and closes'
    case 'end':
      return 'closed'
  }
}

function waitSentence({ for: what, until }: Extract<ObservedStep, { do: 'wait' }>): string {
  return until === null ? `waits for ${waitedFor[what]}` : `waits for ${waitedFor[what]}, until ${until}`
}

const waitedFor: Record<WaitReason, string> = {
  submission: 'its submission',
  approval: 'an approval',
  'send time': 'its send time',
  resume: 'somebody to resume it',
  provider: 'the provider',
  quota: 'quota',
  'reminder time': 'the time of its reminder',
  'quiet hours': 'the end of the quiet hours',
}

import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common'
import { workflowInfo } from '@temporalio/workflow'
import type { MessageReading } from '../activities/read-message.ts'
import type { Problem } from '../contract/enums.ts'
import { searchAttributes } from '../domain/run/temporal-names.ts'

/** What the Temporal UI shows of the run of a message, for readers who do not know the code. */

const stateKey = defineSearchAttributeKey('CarillonState', searchAttributes.CarillonState)
const peopleKey = defineSearchAttributeKey('CarillonPeople', searchAttributes.CarillonPeople)
const problemKey = defineSearchAttributeKey('CarillonProblem', searchAttributes.CarillonProblem)

export const messageView = { nameOf, detailsOf, attributesOf }

function nameOf({ state, version }: MessageReading): string {
  return `${state}, version ${version}`
}

/** The state and what the run does, what it is parked for, and deliveries by outcome. */
function detailsOf(message: MessageReading, doing: string): string {
  const { state, parked, counts, categoryId, unitId, origin } = message
  const lines = [`**${state}**: ${doing}`]
  if (parked) lines.push('', parkedSentence(parked))
  if (counts.length > 0) lines.push('', ...countsTable(counts))
  lines.push('', `Category ${categoryId}, unit ${unitId}, origin ${origin}.`)
  return lines.join('\n')
}

function parkedSentence({ problem, since, probeAt, othersContinue }: NonNullable<MessageReading['parked']>) {
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

function countsTable(counts: MessageReading['counts']): string[] {
  const row = (cells: unknown[]) => `| ${cells.join(' | ')} |`
  return [
    row(['deliveries', 'expected', 'sent', 'skipped', 'failed', 'unknown']),
    row(['---', '---', '---', '---', '---', '---']),
    ...counts.map(({ of, expected, sent, skipped, failed, unknown }) =>
      row([of, expected, sent, skipped, failed, unknown]),
    ),
  ]
}

/** A draft that expires was started without a number of people; its upsert would be one more command. */
function attributesOf({ state, parked, people }: MessageReading): SearchAttributeUpdatePair[] {
  const isCounted = workflowInfo().typedSearchAttributes.get(peopleKey) !== undefined
  return [
    { key: stateKey, value: state },
    { key: problemKey, value: parked?.problem ?? null },
    ...(isCounted && people !== null ? [{ key: peopleKey, value: people }] : []),
  ]
}

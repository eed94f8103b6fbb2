import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common'
import type { RunCard } from '../db/queries/run/late.ts'
import { mainQueue, messageRunId, searchAttributes } from '../domain/run-names.ts'
import type { SignalName } from '../domain/signals.ts'
import type { Temporal } from './temporal.ts'

/** How long Temporal may take to accept a poke, ms. */
const deadlineMs = 1_000
/** A worker that dies with a workflow task in its hands delays the run by so much. */
const workflowTaskTimeout = '5 seconds'
/** The server clips a summary at 200 bytes. */
const summaryBytes = 180

/** Signals a message's run, which starts where there is none or only a closed one. Throws where Temporal refuses. */
export async function sendPoke(temporal: Temporal, card: RunCard, signal: SignalName): Promise<void> {
  await temporal.within(deadlineMs, () =>
    temporal.client.workflow.signalWithStart('messageIntent', {
      workflowId: messageRunId(card.id),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      taskQueue: mainQueue,
      workflowTaskTimeout,
      args: [card.id],
      signal,
      typedSearchAttributes: attributesOf(card),
      staticSummary: clip(`${card.categoryId} from ${card.unitName}, ${sendTimeOf(card)}`, summaryBytes),
      staticDetails: detailsOf(card),
    }),
  )
}

function attributesOf(card: RunCard): SearchAttributePair[] {
  const { CarillonUnit, CarillonCategory, CarillonState, CarillonOrigin } = searchAttributes
  const pairs: SearchAttributePair[] = [
    { key: defineSearchAttributeKey('CarillonUnit', CarillonUnit), value: card.unitId },
    { key: defineSearchAttributeKey('CarillonCategory', CarillonCategory), value: card.categoryId },
    { key: defineSearchAttributeKey('CarillonState', CarillonState), value: card.state },
    { key: defineSearchAttributeKey('CarillonOrigin', CarillonOrigin), value: card.origin },
  ]
  if (card.problem) {
    const key = defineSearchAttributeKey('CarillonProblem', searchAttributes.CarillonProblem)
    pairs.push({ key, value: card.problem })
  }
  if (card.sendAt) {
    const key = defineSearchAttributeKey('CarillonSendAt', searchAttributes.CarillonSendAt)
    pairs.push({ key, value: card.sendAt })
  }
  return pairs
}

function sendTimeOf({ sendAt }: RunCard): string {
  return sendAt ? `to be sent ${sendAt.toISOString()}` : 'to be sent when approved'
}

/** What an operator should know of a run without reading code. Markdown. */
function detailsOf(card: RunCard): string {
  return [
    `Message \`${card.id}\` of category \`${card.categoryId}\`, unit ${card.unitName} (\`${card.unitId}\`); ${sendTimeOf(card)}.`,
    '',
    'The row in Postgres rules; this run only says what happens next. *Request Cancellation* cancels the message, or',
    'pauses it once somebody may have got it. Terminate and Reset undo nothing: the run comes back by itself.',
  ].join('\n')
}

/** The start of a text that takes at most so many bytes of UTF-8, never half a character. */
export function clip(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const head = Buffer.from(text)
    .subarray(0, bytes - 3)
    .toString()
  return `${head.replace(/\uFFFD$/u, '')}…`
}

import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common'
import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import { findRunSummary, type RunSummary } from '../db/queries/run/reconcile.ts'
import type { RunKind, WakeReason } from '../domain/signals.ts'
import { mainTaskQueue, messageWorkflowId, searchAttributes } from '../domain/temporal-names.ts'
import type { Availability } from './availability.ts'
import type { Temporal } from './client.ts'
import { wakes } from './metrics.ts'

/**
 * Tells a run to look again at its row; for after the commit. Returns at once, never throws and promises nothing: what
 * is lost, the poker finds by the row.
 */
export type Wake = (kind: RunKind, id: string, signal: WakeReason) => void

/** Pokes under way at the same time, and pokes that wait for their turn. */
const most = { underWay: 50, waiting: 1_000 }

/**
 * A poke that keeps itself small: one id is under way once, later pokes for it melt into one that follows, and past
 * `most.waiting` ids they are dropped.
 */
export function createWake({ db, temporal, reach, log }: WakeDeps): Wake {
  const waiting = new Map<string, WakeReason>()
  const underWay = new Set<string>()

  function next(): void {
    for (const [id, signal] of waiting) {
      if (underWay.size >= most.underWay) return
      if (underWay.has(id)) continue
      waiting.delete(id)
      underWay.add(id)
      void deliver(id, signal).finally(() => {
        underWay.delete(id)
        next()
      })
    }
  }

  async function deliver(id: string, signal: WakeReason): Promise<void> {
    try {
      const card = (await reach.ready()) && (await findRunSummary(db, id))
      if (!card) return wakes.inc({ outcome: 'dropped' })
      await signalRun(temporal, card, signal).catch((error) => {
        reach.doubt()
        throw error
      })
      wakes.inc({ outcome: 'sent' })
    } catch (err) {
      wakes.inc({ outcome: 'failed' })
      log.debug({ messageId: id, signal, err }, 'A poke failed; the poker repeats it')
    }
  }

  return (_kind, id, signal) => {
    if (!waiting.has(id) && waiting.size >= most.waiting) return wakes.inc({ outcome: 'dropped' })
    waiting.set(id, signal)
    next()
  }
}

export type WakeDeps = { db: Db; temporal: Temporal; reach: Availability; log: Logger }

/** How long Temporal may take to accept a poke, ms. */
const deadlineMs = 1_000
/** A worker that dies with a workflow task in its hands delays the run by so much. */
const workflowTaskTimeout = '5 seconds'
/** The server clips a summary at 200 bytes. */
const summaryBytes = 180

/** Signals a message's run, which starts where there is none or only a closed one. Throws where Temporal refuses. */
export async function signalRun(temporal: Temporal, card: RunSummary, signal: WakeReason): Promise<void> {
  await temporal.within(deadlineMs, () =>
    temporal.client.workflow.signalWithStart('messageIntent', {
      workflowId: messageWorkflowId(card.id),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      taskQueue: mainTaskQueue,
      workflowTaskTimeout,
      args: [card.id],
      signal,
      typedSearchAttributes: attributesOf(card),
      staticSummary: clip(`${card.categoryId} from ${card.unitName}, ${sendTimeOf(card)}`, summaryBytes),
      staticDetails: detailsOf(card),
    }),
  )
}

function attributesOf(card: RunSummary): SearchAttributePair[] {
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

function sendTimeOf({ sendAt }: RunSummary): string {
  return sendAt ? `to be sent ${sendAt.toISOString()}` : 'to be sent when approved'
}

/** What an operator should know of a run without reading code. Markdown. */
function detailsOf(card: RunSummary): string {
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

import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common'
import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import { findRunSummary, type RunSummary } from '../db/queries/run/reconcile.ts'
import { changedSignal, type WakeReason } from '../domain/signals.ts'
import { mainTaskQueue, messageWorkflowId, searchAttributes } from '../domain/temporal-names.ts'
import type { Availability } from './availability.ts'
import type { Temporal } from './client.ts'
import { wakes } from './metrics.ts'

/**
 * Wakes a run so that it reads its row; to be called after the commit. Returns at once, never throws and guarantees
 * nothing: the reconciler finds lost wakes by the row.
 */
export type Wake = (messageId: string, reason: WakeReason) => void

/** The most wakes in flight, and the most queued. */
const limits = { inFlight: 50, waiting: 1_000 }

/**
 * Creates a `Wake` with bounded work: each id has at most one wake in flight, later ones merge into a single next one,
 * and beyond `limits.waiting` queued ids they are dropped.
 */
export function createWake({ db, temporal, availability, log }: WakeDeps): Wake {
  const waiting = new Map<string, WakeReason>()
  const inFlight = new Set<string>()

  function next(): void {
    for (const [id, reason] of waiting) {
      if (inFlight.size >= limits.inFlight) return
      if (inFlight.has(id)) continue
      waiting.delete(id)
      inFlight.add(id)
      void deliver(id, reason).finally(() => {
        inFlight.delete(id)
        next()
      })
    }
  }

  async function deliver(id: string, reason: WakeReason): Promise<void> {
    try {
      const run = (await availability.isAvailable()) && (await findRunSummary(db, id))
      if (!run) return wakes.inc({ outcome: 'dropped' })
      await signalRun(temporal, run, reason).catch((error) => {
        availability.recheck()
        throw error
      })
      wakes.inc({ outcome: 'sent' })
    } catch (err) {
      wakes.inc({ outcome: 'failed' })
      log.debug({ messageId: id, reason, err }, 'Waking a run failed; the reconciler will wake it')
    }
  }

  return (id, reason) => {
    if (!waiting.has(id) && waiting.size >= limits.waiting) return wakes.inc({ outcome: 'dropped' })
    waiting.set(id, reason)
    next()
  }
}

export type WakeDeps = { db: Db; temporal: Temporal; availability: Availability; log: Logger }

/** Deadline for Temporal to accept a wake (ms). */
const deadlineMs = 1_000
/** The delay of a run whose worker dies during a workflow task. */
const workflowTaskTimeout = '5 seconds'
/** Temporal limits a summary to 200 bytes (https://docs.temporal.io/develop/typescript/enriching-ui). */
const summaryBytes = 180

/** Signals a message's run and starts it if there is no open one. Throws if Temporal rejects the call. */
export async function signalRun(temporal: Temporal, run: RunSummary, reason: WakeReason): Promise<void> {
  await temporal.withDeadline(deadlineMs, () =>
    temporal.client.workflow.signalWithStart('messageIntent', {
      workflowId: messageWorkflowId(run.id),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      taskQueue: mainTaskQueue,
      workflowTaskTimeout,
      args: [run.id],
      signal: changedSignal,
      signalArgs: [reason],
      typedSearchAttributes: attributesOf(run),
      staticSummary: clip(`${run.categoryId} from ${run.unitName}, ${sendTimeOf(run)}`, summaryBytes),
      staticDetails: detailsOf(run),
    }),
  )
}

function attributesOf(run: RunSummary): SearchAttributePair[] {
  const { CarillonUnit, CarillonUnitName, CarillonCategory, CarillonState, CarillonOrigin } = searchAttributes
  const pairs: SearchAttributePair[] = [
    { key: defineSearchAttributeKey('CarillonUnit', CarillonUnit), value: run.unitId },
    { key: defineSearchAttributeKey('CarillonUnitName', CarillonUnitName), value: run.unitName },
    { key: defineSearchAttributeKey('CarillonCategory', CarillonCategory), value: run.categoryId },
    { key: defineSearchAttributeKey('CarillonState', CarillonState), value: run.state },
    { key: defineSearchAttributeKey('CarillonOrigin', CarillonOrigin), value: run.origin },
  ]
  if (run.problem) {
    const key = defineSearchAttributeKey('CarillonProblem', searchAttributes.CarillonProblem)
    pairs.push({ key, value: run.problem })
  }
  if (run.people !== null) {
    const key = defineSearchAttributeKey('CarillonPeople', searchAttributes.CarillonPeople)
    pairs.push({ key, value: run.people })
  }
  if (run.sendAt) {
    const key = defineSearchAttributeKey('CarillonSendAt', searchAttributes.CarillonSendAt)
    pairs.push({ key, value: run.sendAt })
  }
  return pairs
}

/** Stays true when the run has finished: Temporal never changes these texts. */
function sendTimeOf({ sendAt }: RunSummary): string {
  return sendAt ? `scheduled for ${sendAt.toISOString()}` : 'without a set time'
}

/** What an operator should know about a run without reading code. Markdown. */
function detailsOf(run: RunSummary): string {
  return [
    `Message \`${run.id}\` of category \`${run.categoryId}\`, unit ${run.unitName} (\`${run.unitId}\`); ${sendTimeOf(run)}.`,
    '',
    'Postgres holds the state; this run only schedules what happens next. *Request Cancellation* cancels the message, or',
    'pauses it once a recipient may have received it. Terminate and Reset are safe: the reconciler restarts the run.',
  ].join('\n')
}

/** The start of a text in at most `bytes` of UTF-8, without cutting a character. */
export function clip(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const head = Buffer.from(text)
    .subarray(0, bytes - 3)
    .toString()
  return `${head.replace(/\uFFFD$/u, '')}…`
}

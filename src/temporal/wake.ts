import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import { findRunSummary, type RunSummary } from '../db/queries/run/summary.ts'
import { type RunKind, type RunName, runKinds, workflowIdOf } from '../domain/run/run-kinds.ts'
import { changedSignal, type WakeReason } from '../domain/run/signals.ts'
import { mainTaskQueue } from '../domain/run/temporal-names.ts'
import { wakes } from '../metrics/rows.ts'
import { currentTraceparent, inSpan } from '../tracing/spans.ts'
import type { Availability } from './availability.ts'
import type { Temporal } from './client.ts'
import { runInUi } from './run-in-ui.ts'

/**
 * Wakes a run so that it reads its row; to be called after the commit. Returns at once, never throws and guarantees
 * nothing: the reconciler finds lost wakes by the row.
 */
export type Wake = (kind: RunKind, id: string, reason: WakeReason) => void

/**
 * The most wakes in flight, and the most queued. Fifty in flight made a busy Temporal miss the deadline of some (239 of
 * 5,100 in a measured run, none with twelve), and woke no more runs a second.
 */
const limits = { inFlight: 12, waiting: 10_000 }

/**
 * Creates a `Wake` with bounded work: each run has at most one wake in flight, later ones merge into a single next
 * one, and beyond `limits.waiting` queued runs they are dropped.
 */
export function createWake({ db, temporal, availability, log }: WakeDeps): Wake {
  /** By workflow id. */
  const waiting = new Map<string, RunName & { reason: WakeReason; parent: string | null }>()
  const inFlight = new Set<string>()

  function next(): void {
    for (const [workflowId, { reason, parent, ...run }] of waiting) {
      if (inFlight.size >= limits.inFlight) return
      if (inFlight.has(workflowId)) continue
      waiting.delete(workflowId)
      inFlight.add(workflowId)
      void deliver(run, reason, parent).finally(() => {
        inFlight.delete(workflowId)
        next()
      })
    }
  }

  async function deliver(named: RunName, reason: WakeReason, parent: string | null): Promise<void> {
    try {
      const run = (await availability.isAvailable()) && (await findRunSummary(db, named))
      if (!run) return wakes.inc({ outcome: 'dropped' })
      await signalRun(temporal, run, reason, parent).catch((error) => {
        availability.recheck()
        throw error
      })
      wakes.inc({ outcome: 'sent' })
    } catch (err) {
      wakes.inc({ outcome: 'failed' })
      const workflowId = workflowIdOf(named.kind, named.id)
      log.debug({ workflowId, reason, err }, 'Waking a run failed; the reconciler will wake it')
    }
  }

  return (kind, id, reason) => {
    const workflowId = workflowIdOf(kind, id)
    if (!waiting.has(workflowId) && waiting.size >= limits.waiting) return wakes.inc({ outcome: 'dropped' })
    waiting.set(workflowId, { kind, id, reason, parent: currentTraceparent() })
    next()
  }
}

export type WakeDeps = { db: Db; temporal: Temporal; availability: Availability; log: Logger }

/** Deadline for Temporal to accept a wake (ms): several times what a busy one takes, with so few in flight. */
const deadlineMs = 5_000
/** The delay of a run whose worker dies during a workflow task. */
const workflowTaskTimeout = '5 seconds'

/**
 * Signals a run and starts it if there is no open one; runs are fair by unit. Throws if Temporal rejects the call.
 * `parent`: the span of what wakes it; otherwise the wake belongs to the one that the row stands in.
 */
export async function signalRun(
  temporal: Temporal,
  run: RunSummary,
  reason: WakeReason,
  parent: string | null = null,
): Promise<void> {
  const attributes = { 'carillon.run.kind': run.kind, 'carillon.run.id': run.id, 'carillon.reason': reason }
  await inSpan('wake', { kind: 'producer', parent: parent ?? run.traceparent, attributes }, () =>
    temporal.withDeadline(deadlineMs, () => signalWithStart(temporal, run, reason)),
  )
}

async function signalWithStart({ client }: Temporal, run: RunSummary, reason: WakeReason): Promise<void> {
  await client.workflow.signalWithStart(runKinds[run.kind].workflowType, {
    workflowId: workflowIdOf(run.kind, run.id),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    taskQueue: mainTaskQueue,
    workflowTaskTimeout,
    args: [run.id],
    signal: changedSignal,
    signalArgs: [reason],
    priority: { fairnessKey: run.unitId },
    ...runInUi(run),
  })
}

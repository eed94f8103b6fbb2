import { WorkflowNotFoundError } from '@temporalio/client'
import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import { findRunSummary, type RunSummary } from '../db/queries/run/summary.ts'
import { type RunKind, type RunName, runKinds, workflowIdOf } from '../domain/run/run-kinds.ts'
import { type RunSignal, signalOf, toldWith } from '../domain/run/signals.ts'
import { mainTaskQueue } from '../domain/run/temporal-names.ts'
import { wakes } from '../metrics/rows.ts'
import { currentTraceparent, inSpan } from '../tracing/spans.ts'
import type { Availability } from './availability.ts'
import type { Temporal } from './client.ts'
import { runInUi } from './run-in-ui.ts'

/**
 * Tells a run what has happened, oldest first, so that it reads its row; to be called after the commit. Returns at once,
 * never throws and guarantees nothing: the reconciler finds lost wakes by the row. `openIn`: the unit of a run that is most
 * likely open: it is signalled without reading its row, and started by it only if it is not.
 */
export type Wake = <Kind extends RunKind>(
  kind: Kind,
  id: string,
  told: readonly RunSignal<Kind>[],
  openIn?: string,
) => void

/**
 * The most wakes in flight, and the most that wait. Fifty in flight made a busy Temporal miss the deadline of some (239 of
 * 5,100 in a measured run, none with twelve), and woke no more runs a second. `reads`: the most runs that are read at once.
 */
const limits = { inFlight: 12, reads: 4, waiting: 10_000 }

type Waking = { told: readonly RunSignal[]; parent: string | null }
/** `run`: null if its row was not read. */
type InLine = Waking & { name: RunName; run: RunSummary | null }

/**
 * Creates a `Wake` with bounded work: each run has at most one wake in flight, later ones merge into a single next
 * one, and beyond `limits.waiting` runs they are dropped. Units take turns, so that a crowd of one holds up no other.
 */
export function createWake({ db, temporal, availability, log }: WakeDeps): Wake {
  /** Runs whose unit is to be read, by workflow id. */
  const unread = new Map<string, RunName & Waking>()
  /** Those that wait for their turn, by unit and workflow id; the unit whose turn is next comes first. */
  const lines = new Map<string, Map<string, InLine>>()
  const inFlight = new Set<string>()
  const reading = new Set<string>()
  let inLine = 0

  function next(): void {
    readNext()
    for (let waking = nextInLine(); waking; waking = nextInLine()) {
      const { workflowId } = waking
      inFlight.add(workflowId)
      void signal(waking).finally(() => {
        inFlight.delete(workflowId)
        next()
      })
    }
  }

  function readNext(): void {
    for (const [workflowId, { kind, id, told, parent }] of unread) {
      if (reading.size >= limits.reads) return
      if (reading.has(workflowId) || inFlight.has(workflowId)) continue
      unread.delete(workflowId)
      reading.add(workflowId)
      void read({ kind, id }, told).then((run) => {
        reading.delete(workflowId)
        if (run) queue(workflowId, run.unitId, { name: { kind, id }, run, told, parent })
        next()
      })
    }
  }

  async function read(named: RunName, told: readonly RunSignal[]): Promise<RunSummary | null> {
    try {
      const run = (await availability.isAvailable()) && (await findRunSummary(db, named))
      if (run) return isInLine(run) ? null : run
      wakes.inc({ outcome: 'dropped' })
    } catch (err) {
      fail(named, told, err)
    }
    return null
  }

  function queue(workflowId: string, unitId: string, waking: InLine): void {
    const line: Map<string, InLine> = lines.get(unitId) ?? new Map()
    const before = line.get(workflowId)
    if (!before) inLine += 1
    line.set(workflowId, { ...waking, told: toldWith(before?.told ?? [], waking.told) })
    lines.set(unitId, line)
  }

  /** The first wake of the unit whose turn it is, that is of no run in flight. The unit then goes to the end. */
  function nextInLine() {
    if (inFlight.size >= limits.inFlight) return undefined
    for (const [unitId, line] of lines)
      for (const [workflowId, waking] of line) {
        if (inFlight.has(workflowId)) continue
        line.delete(workflowId)
        lines.delete(unitId)
        if (line.size > 0) lines.set(unitId, line)
        inLine -= 1
        return { workflowId, ...waking }
      }
    return undefined
  }

  async function signal({ name, run, told, parent }: InLine): Promise<void> {
    try {
      if (run === null && (await signalOpen(temporal, name, told, parent)))
        return wakes.inc({ outcome: 'sent' })
      const target = run ?? (await read(name, told))
      if (!target) return
      await signalRun(temporal, target, told, parent)
      wakes.inc({ outcome: 'sent' })
    } catch (err) {
      availability.recheck()
      fail(name, told, err)
    }
  }

  function fail({ kind, id }: RunName, told: readonly RunSignal[], err: unknown): void {
    wakes.inc({ outcome: 'failed' })
    const workflowId = workflowIdOf(kind, id)
    log.debug(
      { workflowId, signal: signalOf(told).name, err },
      'Waking a run failed; the reconciler will wake it',
    )
  }

  return (kind, id, signals, openIn) => {
    const told: readonly RunSignal[] = signals as RunSignal[]
    const workflowId = workflowIdOf(kind, id)
    if (!unread.has(workflowId) && unread.size + inLine >= limits.waiting)
      return wakes.inc({ outcome: 'dropped' })
    const parent = currentTraceparent()
    if (openIn === undefined) {
      const before = unread.get(workflowId)?.told ?? []
      unread.set(workflowId, { kind, id, told: toldWith(before, told), parent })
    } else queue(workflowId, openIn, { name: { kind, id }, run: null, told, parent })
    next()
  }
}

/** A run that stands in line is woken by the task `run-admit`. */
const isInLine = (run: RunSummary) => run.kind === 'scenario' && run.queued

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
  told: readonly RunSignal[],
  parent: string | null = null,
): Promise<void> {
  const attributes = wakeFacts(run, told)
  await inSpan('wake', { kind: 'producer', parent: parent ?? run.traceparent, attributes }, () =>
    temporal.withDeadline(deadlineMs, () => signalWithStart(temporal, run, told)),
  )
}

/** Signals a run; false if none is open. */
function signalOpen(
  temporal: Temporal,
  { kind, id }: RunName,
  told: readonly RunSignal[],
  parent: string | null,
): Promise<boolean> {
  const { name, args } = signalOf(told)
  return inSpan('wake', { kind: 'producer', parent, attributes: wakeFacts({ kind, id }, told) }, () =>
    temporal.withDeadline(deadlineMs, async () => {
      try {
        await temporal.client.workflow.getHandle(workflowIdOf(kind, id)).signal(name, ...args)
        return true
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return false
        throw error
      }
    }),
  )
}

function wakeFacts({ kind, id }: RunName, told: readonly RunSignal[]) {
  return { 'carillon.run.kind': kind, 'carillon.run.id': id, 'carillon.signal': signalOf(told).name }
}

async function signalWithStart(
  { client }: Temporal,
  run: RunSummary,
  told: readonly RunSignal[],
): Promise<void> {
  const { name, args } = signalOf(told)
  await client.workflow.signalWithStart(runKinds[run.kind].workflowType, {
    workflowId: workflowIdOf(run.kind, run.id),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    taskQueue: mainTaskQueue,
    workflowTaskTimeout,
    args: [run.id],
    signal: name,
    signalArgs: args,
    priority: { fairnessKey: run.unitId },
    ...runInUi(run),
  })
}

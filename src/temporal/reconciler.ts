import { takesWrites } from '../db/connect.ts'
import {
  makeTheseRunsDue,
  type RunToWake,
  takeRunsToWake,
  unansweredWakes,
} from '../db/queries/run/reconcile.ts'
import { allRunKinds, type RunName, runKinds, runOfWorkflow, workflowIdOf } from '../domain/run/run-kinds.ts'
import { mainTaskQueue } from '../domain/run/temporal-names.ts'
import { reconcilerWakes } from '../metrics/rows.ts'
import type { Temporal } from './client.ts'
import { signalRun, type WakeDeps } from './wake.ts'
import { examineRun, type WedgedPolicy } from './wedged-runs.ts'

/**
 * Runs woken in one round: many only while the task queue has no backlog. Waking every run of a backlog only makes it
 * longer.
 */
const runsPerRound = { few: 10, many: 50 }
/** The number of workflow tasks waiting for a worker from which there is a backlog. */
const backlog = 20
const describeMs = 1_000

/**
 * Returns a round that wakes the runs that have not observed their row in time; it returns whether more are overdue and
 * the task queue has room for them. Every worker process runs it; they share the rows by SKIP LOCKED. What does not
 * respond is examined first: a wake resets what Temporal knows of the failures.
 */
export function wakeOverdueRuns(parts: WakeDeps, wedged: WedgedPolicy): () => Promise<boolean> {
  const { db, temporal, availability } = parts
  let limit = runsPerRound.few

  return async () => {
    const atMost = limit
    limit = runsPerRound.few
    if (!(await availability.isAvailable())) return false
    const late = await takeRunsToWake(db, atMost)
    await Promise.all(late.map((run) => wakeRun(parts, run, wedged)))
    const more = late.length === atMost && (await taskQueueBacklog(temporal)) < backlog
    if (more) limit = runsPerRound.many
    return more
  }
}

/** Workflow tasks that wait for a worker, by Temporal's approximate count. */
async function taskQueueBacklog({ connection, namespace, withDeadline }: Temporal): Promise<number> {
  const { stats } = await withDeadline(describeMs, () =>
    connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: mainTaskQueue },
      reportStats: true,
    }),
  )
  return Number(stats?.approximateBacklogCount ?? 0)
}

async function wakeRun(parts: WakeDeps, run: RunToWake, wedged: WedgedPolicy): Promise<void> {
  const { temporal, availability, log } = parts
  try {
    if (run.wakes > unansweredWakes) await examineRun(parts, run, wedged)
    await signalRun(temporal, run, [{ name: 'overdue' }])
    reconcilerWakes.inc()
  } catch (err) {
    availability.recheck()
    if (run.wakes > unansweredWakes)
      log.warn(
        { workflowId: workflowIdOf(run.kind, run.id), wakes: run.wakes, err },
        'A run cannot be woken; the reconciler retries it',
      )
  }
}

/** Deadline for one page of Temporal's list (ms). */
const listTimeoutMs = 5_000
/**
 * How far back a round looks for ended runs (ms): longer than the pause between rounds, the lag of Temporal's index and
 * clock skew together. The first round covers runs that ended while no worker was running.
 */
const lookBackMs = { first: 24 * 3_600_000, later: 120_000 }
/** The shortest interval between two restarts of a run that keeps ending (ms). */
const minRestartIntervalMs = 60_000
/** The first pause after a failed restart (ms); it doubles with each failure, up to `minRestartIntervalMs`. */
const firstWaitMs = 5_000

const workflowTypes = allRunKinds.map((kind) => `'${runKinds[kind].workflowType}'`).join(', ')
/** Statuses in which a run never ends by itself: only through an operator or a defect. */
const endings =
  `WorkflowType in (${workflowTypes}) and ` +
  "ExecutionStatus in ('Canceled', 'Terminated', 'Failed', 'TimedOut')"

/** When a run was last restarted; `failures`: consecutive failed restarts. */
type RestartRecord = { run: RunName; at: number; failures: number }

/**
 * Returns a round that restarts runs that were ended in Temporal while their rows are open. Otherwise they would
 * restart at their next wakeup, which may be days away. The round always returns false: no other one is needed at once.
 */
export function restartEndedRuns(parts: WakeDeps): () => Promise<false> {
  const { temporal, availability, log } = parts
  /** By workflow id, as all below. */
  const restarts = new Map<string, RestartRecord>()
  let backMs = lookBackMs.first

  return async () => {
    if (!(await availability.isAvailable())) return false
    const now = Date.now()
    const ended = await endedSince(temporal, new Date(now - backMs))
    dropOldRestarts(restarts, now)
    for (const [id, { run, failures }] of restarts) if (failures > 0 && !ended.has(id)) ended.set(id, run)
    const lost = [...ended].filter(([id]) => isDue(restarts.get(id), now))
    const { open, failed } = await restartRuns(
      parts,
      lost.map(([, run]) => run),
    )
    for (const [id, run] of lost) {
      const failures = failed.has(run) ? (restarts.get(id)?.failures ?? 0) + 1 : 0
      restarts.set(id, { run, at: now, failures })
    }
    backMs = lookBackMs.later
    if (open > 0)
      log.warn({ runs: open }, 'Restarting runs that were ended in Temporal while their rows are open')
    return false
  }
}

/**
 * The runs that were ended since then. Only workflow id and run id are read from Temporal's list:
 * anyone with access to Temporal can write the other fields.
 */
async function endedSince(
  { connection, namespace, withDeadline }: Temporal,
  since: Date,
): Promise<Map<string, RunName>> {
  const query = `${endings} and CloseTime > '${since.toISOString()}'`
  const ended = new Map<string, RunName>()
  let nextPageToken: Uint8Array = new Uint8Array()
  do {
    const page = await withDeadline(listTimeoutMs, () =>
      connection.workflowService.listWorkflowExecutions({ namespace, query, nextPageToken }),
    )
    for (const { execution } of page.executions) {
      const workflowId = execution?.workflowId ?? ''
      const run = runOfWorkflow(workflowId)
      if (run !== null) ended.set(workflowId, run)
    }
    nextPageToken = page.nextPageToken
  } while (nextPageToken.length > 0)
  return ended
}

/** Keeps failed restarts, so that they are retried even after the run has left the range of Temporal's list. */
function dropOldRestarts(restarts: Map<string, RestartRecord>, now: number): void {
  for (const [id, { at, failures }] of restarts)
    if (failures === 0 && now - at > 2 * lookBackMs.later) restarts.delete(id)
}

/** Once more after a minute: a reading that was under way when the run was ended may have postponed it since. */
function isDue(last: RestartRecord | undefined, now: number): boolean {
  if (last === undefined) return true
  const { failures, at } = last
  if (failures === 0) return now - at > minRestartIntervalMs
  return now - at >= Math.min(minRestartIntervalMs, firstWaitMs * 2 ** (failures - 1))
}

/** The number of open runs among them, and those that could not be written. */
type RestartResult = { open: number; failed: ReadonlySet<RunName> }

/**
 * Makes these runs due, in one statement for each kind. If that fails while the database takes writes, splits them in
 * half and retries, until a row that cannot be written is isolated.
 */
async function restartRuns(parts: WakeDeps, runs: RunName[]): Promise<RestartResult> {
  if (runs.length === 0) return { open: 0, failed: new Set() }
  try {
    return { open: await makeTheseRunsDue(parts.db, runs), failed: new Set() }
  } catch (err) {
    if (!(await takesWrites(parts.db))) throw err
    const [first] = runs
    if (runs.length === 1) {
      parts.log.warn(
        { workflowId: workflowIdOf(first!.kind, first!.id), err },
        'A run that was ended in Temporal could not be restarted; a later round retries it',
      )
      return { open: 0, failed: new Set(runs) }
    }
    const half = Math.ceil(runs.length / 2)
    const one = await restartRuns(parts, runs.slice(0, half))
    const other = await restartRuns(parts, runs.slice(half))
    return { open: one.open + other.open, failed: new Set([...one.failed, ...other.failed]) }
  }
}

import { isGrpcServiceError } from '@temporalio/client'
import { ping } from '../db/connect.ts'
import {
  makeRunsDue,
  markWedged,
  type RunToWake,
  takeRunsToWake,
  unansweredWakes,
} from '../db/queries/run/reconcile.ts'
import { mainTaskQueue, messageIdOfWorkflow, messageWorkflowId } from '../domain/temporal-names.ts'
import type { Temporal } from './client.ts'
import { reconcilerWakes } from './metrics.ts'
import { signalRun, type WakeDeps } from './wake.ts'

/**
 * Rows taken in one round, all poked at once: many only while runs are not short of hands. A poke for each run of a
 * backlog would only make it longer.
 */
const runsPerRound = { few: 10, many: 50 }
/** So many runs that wait for a worker are a backlog. */
const backlog = 20
/** A workflow task that is tried for the third time fails by our code, not by chance. */
const wedgedAttempts = 3
const describeMs = 1_000
/** The gRPC status for it. */
const notFound = 5

/**
 * What wakes the runs that did not look at their row in time; one call is one look over the rows, and answers whether
 * there are more, and hands for them. Every worker process has one; they share the work by SKIP LOCKED.
 */
export function wakeOverdueRuns(parts: WakeDeps): () => Promise<boolean> {
  const { db, temporal, reach } = parts
  let limit = runsPerRound.few

  return async () => {
    const atMost = limit
    limit = runsPerRound.few
    if (!(await reach.ready())) return false
    const late = await takeRunsToWake(db, atMost)
    await Promise.all(late.map((run) => wakeRun(parts, run)))
    const more = late.length === atMost && (await taskQueueBacklog(temporal)) < backlog
    if (more) limit = runsPerRound.many
    return more
  }
}

/** How many runs wait for a worker to take their step, as far as Temporal knows. */
async function taskQueueBacklog({ connection, namespace, within }: Temporal): Promise<number> {
  const { stats } = await within(describeMs, () =>
    connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: mainTaskQueue },
      reportStats: true,
    }),
  )
  return Number(stats?.approximateBacklogCount ?? 0)
}

async function wakeRun({ db, temporal, reach, log }: WakeDeps, run: RunToWake): Promise<void> {
  try {
    if (run.pokes > unansweredWakes && !run.wedged) {
      const attempts = await taskAttempts(temporal, run.id)
      log.warn({ messageId: run.id, pokes: run.pokes, attempts }, 'A run does not look at its row')
      if (attempts >= wedgedAttempts) await markWedged(db, run.id)
    }
    await signalRun(temporal, run, 'changed')
    reconcilerWakes.inc()
  } catch (err) {
    reach.doubt()
    if (run.pokes > unansweredWakes)
      log.warn({ messageId: run.id, pokes: run.pokes, err }, 'A run cannot be poked')
  }
}

/** How often the run's workflow task has been tried; 0 where none is waiting. */
async function taskAttempts({ connection, namespace, within }: Temporal, messageId: string): Promise<number> {
  const execution = { workflowId: messageWorkflowId(messageId) }
  const described = await within(describeMs, () =>
    connection.workflowService.describeWorkflowExecution({ namespace, execution }).catch(ignoreNotFound),
  )
  return described?.pendingWorkflowTask?.attempt ?? 0
}

/** A run that never was, or is long forgotten, has no task: a poke makes a new one. */
function ignoreNotFound(error: unknown): undefined {
  if (isGrpcServiceError(error) && error.code === notFound) return undefined
  throw error
}

/** Temporal may take so long for a page of its list, ms. */
const askMs = 5_000
/**
 * How far back a round asks, ms: more than the pause between two, the lag of Temporal's index and clocks apart; the first
 * one for what was ended while no worker was there.
 */
const lookBackMs = { first: 24 * 3_600_000, later: 120_000 }
/** A run that ends again and again is brought back no more often than this, ms. */
const minRestartIntervalMs = 60_000
/** One that cannot be brought back is tried again after this, then after twice as long each time, up to `restMs`. */
const firstWaitMs = 5_000

/** Runs that a run never ends as by itself: an operator's hand, or a fault of ours. */
const endings = `WorkflowType = 'messageIntent' and ExecutionStatus in ('Terminated', 'Failed', 'TimedOut')`

/** Which run of a message had ended when it was last brought back; `failures`: how often in a row that failed. */
type RestartRecord = { runId: string; at: number; failures: number }

/**
 * What brings back runs that were ended in Temporal although their message is open; one call is one round, and
 * answers that the next need not follow at once. Without it they come back at their next moment, which may be days away.
 */
export function restartEndedRuns(parts: WakeDeps): () => Promise<false> {
  const { temporal, reach, log } = parts
  const returned = new Map<string, RestartRecord>()
  let backMs = lookBackMs.first

  return async () => {
    if (!(await reach.ready())) return false
    const now = Date.now()
    const ended = await endedSince(temporal, new Date(now - backMs))
    dropOldRestarts(returned, now)
    for (const [id, { runId, failures }] of returned) if (failures > 0 && !ended.has(id)) ended.set(id, runId)
    const lost = [...ended].filter(([id, runId]) => isDue(returned.get(id), runId, now)).map(([id]) => id)
    const { open, failed } = await restartRuns(parts, lost)
    for (const id of lost) {
      const failures = failed.has(id) ? (returned.get(id)?.failures ?? 0) + 1 : 0
      returned.set(id, { runId: ended.get(id)!, at: now, failures })
    }
    backMs = lookBackMs.later
    if (open > 0) log.warn({ runs: open }, 'Runs were ended in Temporal although their messages are open')
    return false
  }
}

/**
 * The last run of each message that was ended since then. Of Temporal's list only the names are read: what else stands in
 * an entry, anybody may have written.
 */
async function endedSince(
  { connection, namespace, within }: Temporal,
  since: Date,
): Promise<Map<string, string>> {
  const query = `${endings} and CloseTime > '${since.toISOString()}'`
  const ended = new Map<string, string>()
  let nextPageToken: Uint8Array = new Uint8Array()
  do {
    const page = await within(askMs, () =>
      connection.workflowService.listWorkflowExecutions({ namespace, query, nextPageToken }),
    )
    for (const { execution } of page.executions) {
      const id = messageIdOfWorkflow(execution?.workflowId ?? '')
      // The newest come first.
      if (id !== null && !ended.has(id)) ended.set(id, execution?.runId ?? '')
    }
    nextPageToken = page.nextPageToken
  } while (nextPageToken.length > 0)
  return ended
}

/** One that could not be brought back stays, so that it is tried again when Temporal's list has long forgotten it. */
function dropOldRestarts(returned: Map<string, RestartRecord>, now: number): void {
  for (const [id, { at, failures }] of returned)
    if (failures === 0 && now - at > 2 * lookBackMs.later) returned.delete(id)
}

function isDue(last: RestartRecord | undefined, runId: string, now: number): boolean {
  if (last === undefined) return true
  const { failures, at } = last
  if (failures === 0) return last.runId !== runId && now - at > minRestartIntervalMs
  return now - at >= Math.min(minRestartIntervalMs, firstWaitMs * 2 ** (failures - 1))
}

/** How many of the messages are open, and which could not be written. */
type RestartResult = { open: number; failed: ReadonlySet<string> }

/**
 * Has the runs of these messages look again, all in one statement; where that fails although the database answers, in
 * halves, so that in the end a row that cannot be written stands alone.
 */
async function restartRuns(parts: WakeDeps, ids: string[]): Promise<RestartResult> {
  if (ids.length === 0) return { open: 0, failed: new Set() }
  try {
    return { open: await makeRunsDue(parts.db, ids), failed: new Set() }
  } catch (err) {
    await ping(parts.db)
    if (ids.length === 1) {
      parts.log.warn({ messageId: ids[0], err }, 'A run that was ended in Temporal could not be brought back')
      return { open: 0, failed: new Set(ids) }
    }
    const half = Math.ceil(ids.length / 2)
    const one = await restartRuns(parts, ids.slice(0, half))
    const other = await restartRuns(parts, ids.slice(half))
    return { open: one.open + other.open, failed: new Set([...one.failed, ...other.failed]) }
  }
}

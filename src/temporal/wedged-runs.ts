import { isGrpcServiceError } from '@temporalio/client'
import proto from '@temporalio/proto'
import type { RunToWake } from '../db/queries/run/reconcile.ts'
import { recordRunRestart, recordTaskFailures, resetWedged } from '../db/queries/run/wedged.ts'
import { workflowIdOf } from '../domain/run/run-kinds.ts'
import { mainTaskQueue } from '../domain/run/temporal-names.ts'
import type { Temporal } from './client.ts'
import { releaseOfIdentity } from './release.ts'
import type { WakeDeps } from './wake.ts'

/** What happens to runs that cannot be replayed (docs/design/rows-and-runs.md). */
export type WedgedPolicy = {
  /** Whether they are ended, so that they start again. */
  restart: boolean
  /** The release of this process' workflows. */
  release: string
}

/** From its third attempt, a workflow task fails because of its code, not by chance. */
const wedgedAttempts = 3
const callTimeoutMs = 1_000
/** gRPC status NOT_FOUND. */
const notFound = 5

/**
 * Examines a run that does not respond to wakes. If its workflow task keeps failing, marks it as wedged; once that has
 * lasted long enough and only workers of this release are there, ends it: the next wake starts it again from the row.
 * The restart is recorded first, since Temporal may end the run and not answer. The limits start again once it is ended,
 * so that an end that fails is tried again at the next examination.
 */
export async function examineRun(parts: WakeDeps, run: RunToWake, policy: WedgedPolicy): Promise<void> {
  const { db, temporal, log } = parts
  const workflowId = workflowIdOf(run.kind, run.id)
  const { runId, open, attempt } = await describeRun(temporal, workflowId)
  const about = { workflowId, runId, wakes: run.wakes, attempts: attempt }
  if (!run.wedged) log.warn(about, 'A run does not respond to wakes')
  else if (!open) return resetWedged(db, run)
  if (attempt < (run.wedged ? 1 : wedgedAttempts)) return
  const wedged = await recordTaskFailures(db, run, attempt - 1)
  if (!wedged?.lasting || !policy.restart) return
  if (await hasOtherReleases(temporal, policy.release))
    return log.warn(
      about,
      'A wedged run is not restarted yet: workers of another release are, or were, there',
    )
  await recordRunRestart(db, run)
  await endRun(temporal, workflowId, runId)
  await resetWedged(db, run)
  log.warn({ ...about, failures: wedged.failures }, 'A wedged run was ended; it restarts from its row')
}

/**
 * The last execution of a run, whether it is open, and the attempt that its workflow task is at; 0 if none is pending.
 */
async function describeRun({ connection, namespace, withDeadline }: Temporal, workflowId: string) {
  const execution = { workflowId }
  const described = await withDeadline(callTimeoutMs, () =>
    connection.workflowService.describeWorkflowExecution({ namespace, execution }).catch(ignoreNotFound),
  )
  const info = described?.workflowExecutionInfo
  return {
    runId: info?.execution?.runId ?? '',
    open:
      info?.status === proto.temporal.api.enums.v1.WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING,
    attempt: described?.pendingWorkflowTask?.attempt ?? 0,
  }
}

/**
 * Whether a worker of another release has asked for workflow tasks lately (Temporal remembers for five minutes). Then
 * the run may be one that it can replay, and a new run could be continued by a worker that cannot.
 */
export async function hasOtherReleases(
  { connection, namespace, withDeadline }: Temporal,
  release: string,
): Promise<boolean> {
  const { pollers } = await withDeadline(callTimeoutMs, () =>
    connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: mainTaskQueue },
      taskQueueType: proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
    }),
  )
  return pollers.some(({ identity }) => releaseOfIdentity(identity ?? '') !== release)
}

/**
 * Ends this execution, and no later one of the run. Under load the answer may come after the deadline: then the
 * execution shows whether it has ended. Throws if it has not.
 */
async function endRun(temporal: Temporal, workflowId: string, runId: string): Promise<void> {
  const handle = temporal.client.workflow.getHandle(workflowId, runId)
  const reason = 'Wedged: its workflow task keeps failing. A new run continues from the row.'
  await temporal
    .withDeadline(callTimeoutMs, () => handle.terminate(reason))
    .catch(async (error) => {
      const last = await describeRun(temporal, workflowId)
      if (last.open && last.runId === runId) throw error
    })
}

/** A run that never started, or is past Temporal's retention, has no task: a wake starts a new one. */
function ignoreNotFound(error: unknown): undefined {
  if (isGrpcServiceError(error) && error.code === notFound) return undefined
  throw error
}

import type { Info } from '@temporalio/activity'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import type { Db } from '../db/connect.ts'
import { findTraceparent } from '../db/queries/run/summary.ts'
import { runOfWorkflow } from '../domain/run/run-kinds.ts'
import { inSpan, isTracing } from '../tracing/spans.ts'

/** Records a span for each try of an activity. */
export function traceInterceptor(db: Db): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: { execute: (input, next) => inStepSpan(db, info, info.activityType, () => next(input)) },
  })
}

/**
 * Records a span for a step of a run, in the trace that the row of its run stands in now. The context comes from the row
 * and not through Temporal, so a run that the reconciler restarted belongs to it too, and no workflow knows of traces.
 */
export async function inStepSpan<T>(
  db: Db,
  { workflowExecution, workflowType, attempt, taskQueue }: Info,
  step: string,
  take: () => Promise<T>,
): Promise<T> {
  if (!isTracing()) return take()
  const run = runOfWorkflow(workflowExecution?.workflowId ?? '')
  const parent = run && (await findTraceparent(db, run).catch(() => null))
  const attributes = {
    'carillon.run.kind': run?.kind,
    'carillon.run.id': run?.id,
    'temporal.run_id': workflowExecution?.runId,
    'temporal.task_queue': taskQueue,
    'temporal.attempt': attempt,
  }
  return inSpan(`${workflowType} ${step}`, { parent, attributes }, take)
}

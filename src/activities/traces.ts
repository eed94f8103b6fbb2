import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import type { Db } from '../db/connect.ts'
import { findTraceparent } from '../db/queries/run/traceparent.ts'
import { runOfWorkflow } from '../domain/run-kinds.ts'
import { inSpan, isTracing } from '../tracing.ts'

/**
 * Records a span for each try of an activity, in the trace that the row of its run stands in. The context comes from the
 * row and not through Temporal, so a run that the reconciler began anew belongs to it too, and no workflow knows of traces.
 */
export function traceInterceptor(db: Db): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        if (!isTracing()) return next(input)
        const { workflowExecution, workflowType, activityType, attempt, taskQueue } = info
        const run = runOfWorkflow(workflowExecution?.workflowId ?? '')
        const parent = run && (await findTraceparent(db, run).catch(() => null))
        const attributes = {
          'carillon.run.kind': run?.kind,
          'carillon.run.id': run?.id,
          'temporal.run_id': workflowExecution?.runId,
          'temporal.task_queue': taskQueue,
          'temporal.attempt': attempt,
        }
        return inSpan(`${workflowType} ${activityType}`, { parent, attributes }, () => next(input))
      },
    },
  })
}

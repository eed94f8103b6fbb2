import { randomBytes } from 'node:crypto'
import { ApplicationFailure, CancelledFailure, type Context } from '@temporalio/activity'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import { countStepFailure } from '../db/queries/run/step-failure.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { scrub } from '../domain/lib/scrub.ts'
import { runOfWorkflow } from '../domain/run/run-kinds.ts'

/**
 * What a step answers once its run is parked for it: nothing is done, and the run reads its row again, where it
 * finds that it must wait. The reading itself is not here: without it no run can wait.
 */
const whenParked: Record<string, unknown> = {
  resolveAudience: undefined,
  reserveQuota: undefined,
  expireMessage: undefined,
  finishWave: { more: false },
  sendSmallWave: null,
  sendSlice: { more: false, waitMs: 0 },
  sayTurn: null,
  lookUp: undefined,
  makeOccurrence: undefined,
}

/** The type of a failure that is no fault: the activity found no room, and comes back by itself. */
export const busyFailure = 'busy'

/**
 * Keeps error texts out of Temporal: the history of a run records a code and a reference, the log the scrubbed error
 * under the same reference, so that an operator can find one by the other. Every failure is retryable: a run never
 * fails. A step that fails twenty times in a row, not for an outage, parks its run with the problem `internal`.
 */
export function failureInterceptor(db: Db, log: Logger): ActivityInterceptorsFactory {
  return (context) => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input)
        } catch (error) {
          if (error instanceof CancelledFailure) throw error
          if (error instanceof ApplicationFailure && error.type === busyFailure) throw error
          const failure = codedFailure(error, context, log)
          const { activityType } = context.info
          if (activityType in whenParked && (await isParkedFor(error, context, db)))
            return whenParked[activityType]
          throw failure
        }
      },
    },
  })
}

/** Counts a failure that no outage explains. Returns whether the run is parked for it. */
async function isParkedFor(error: unknown, { info }: Context, db: Db): Promise<boolean> {
  const run = runOfWorkflow(info.workflowExecution?.workflowId ?? '')
  if (run === null || isPassing(error)) return false
  return countStepFailure(db, run).catch(() => false)
}

/** A statement that takes too long (57014) does so each time; the other failures of a database end by themselves. */
function isPassing(error: unknown): boolean {
  return isUnavailable(error) && (error as { code?: unknown }).code !== '57014'
}

function codedFailure(error: unknown, { info }: Context, log: Logger): ApplicationFailure {
  const code = codeOf(error)
  const reference = randomBytes(6).toString('hex')
  log.error(
    {
      reference,
      code,
      activityType: info.activityType,
      workflowId: info.workflowExecution?.workflowId,
      attempt: info.attempt,
      error: scrub(error),
    },
    'An activity failed and will be retried',
  )
  const failure = ApplicationFailure.create({
    type: code,
    message: `${code}: see the worker's log for reference ${reference}`,
  })
  // Temporal would record the stack in the history.
  failure.stack = ''
  return failure
}

/** The error's own code (Carillon's, Postgres' or the network's), otherwise `internal`. */
function codeOf(error: unknown): string {
  const { code, type } = (error ?? {}) as { code?: unknown; type?: unknown }
  const word = error instanceof ApplicationFailure ? type : code
  return typeof word === 'string' && /^\w{1,40}$/.test(word) ? word : 'internal'
}

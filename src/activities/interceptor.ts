import { randomBytes } from 'node:crypto'
import { ApplicationFailure, CancelledFailure, type Context } from '@temporalio/activity'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import type { Logger } from 'pino'
import { scrub } from '../domain/scrub.ts'

/**
 * Keeps error texts out of Temporal: the history of a run records a code and a reference, the log the scrubbed error
 * under the same reference, so that an operator can find one by the other. Every failure is retryable: a run never
 * fails.
 */
export function failureInterceptor(log: Logger): ActivityInterceptorsFactory {
  return (context) => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input)
        } catch (error) {
          if (error instanceof CancelledFailure) throw error
          throw codedFailure(error, context, log)
        }
      },
    },
  })
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

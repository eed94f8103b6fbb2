import { randomBytes } from 'node:crypto'
import { ApplicationFailure, CancelledFailure, type Context } from '@temporalio/activity'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import type { Logger } from 'pino'
import { scrub } from '../domain/scrub.ts'

/**
 * Keeps what a failing step says out of Temporal: the run's history gets a code and a reference, the log gets the error
 * itself, scrubbed, under the same reference. An operator finds the one by the other. The step is always tried again:
 * a run never fails.
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
      activity: info.activityType,
      runOf: info.workflowExecution?.workflowId,
      attempt: info.attempt,
      error: scrub(error),
    },
    'A step of a run failed; it is tried again',
  )
  const failure = ApplicationFailure.create({
    type: code,
    message: `${code}: see the worker's log for reference ${reference}`,
  })
  // The stack would go into the history as text.
  failure.stack = ''
  return failure
}

/** A code of ours or of Postgres or the network, where the error carries one. */
function codeOf(error: unknown): string {
  const { code, type } = (error ?? {}) as { code?: unknown; type?: unknown }
  const word = error instanceof ApplicationFailure ? type : code
  return typeof word === 'string' && /^\w{1,40}$/.test(word) ? word : 'internal'
}

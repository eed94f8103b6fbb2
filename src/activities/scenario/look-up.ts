import { ApplicationFailure } from '@temporalio/activity'
import { ServiceError } from '../../contract/errors.ts'
import type { Trx } from '../../db/connect.ts'
import type { Services } from '../../services/context.ts'
import type { LookedUp } from '../../services/scenarios/look-up.ts'
import { createOriginTurns } from '../../services/scenarios/origin-turns.ts'
import { performLookup } from '../../services/scenarios/perform-lookup.ts'
import { type ActivityAttempt, withHeartbeat } from '../delivery/context.ts'
import { busyFailure } from '../interceptor.ts'

/** What Lookups depend on. `settle`: what an outcome does to the run, in the transaction that stores it. */
export type LookUpDeps = {
  services: Services
  drain: { readonly draining: boolean }
  attempt: () => Pick<ActivityAttempt, 'heartbeat'>
  settle: (trx: Trx, runId: string, node: string, result: LookedUp) => Promise<void>
}

/** The activity that makes the Lookup of a run, on the task queue of Lookups. It passes ids. */
export function lookUpActivities({ services, drain, attempt, settle }: LookUpDeps) {
  const turns = createOriginTurns()
  return {
    lookUp: (runId: string, node: string): Promise<void> =>
      withHeartbeat(attempt(), {}, () =>
        performLookup(services, {
          runId,
          node,
          turns,
          mayBegin: () => !drain.draining,
          settle: (trx, result) => settle(trx, runId, node, result),
        }).catch(busy),
      ),
  }
}

/** Gives the place of an activity that waits for a busy origin to the Lookups of others; Temporal tries it again. */
function busy(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'unavailable') throw error
  const message = 'the origin has as many Lookups under way as it may have'
  throw ApplicationFailure.create({ type: busyFailure, message, nextRetryDelay: '1 second' })
}

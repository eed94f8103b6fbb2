import { ApplicationFailure } from '@temporalio/activity'
import type { Trx } from '../../db/connect.ts'
import { markLookupTooLarge, storeRefusedFields } from '../../db/queries/lookup/lookup.ts'
import { keepFields, lockVariables } from '../../db/queries/scenario-run/observe-run.ts'
import { fittingFields } from '../../domain/scenario/lookup-answer.ts'
import type { Services } from '../../services/context.ts'
import type { LookedUp } from '../../services/lookups/look-up.ts'
import { performLookup } from '../../services/lookups/perform-lookup.ts'
import { type ActivityAttempt, withHeartbeat } from '../delivery/context.ts'
import { busyFailure } from '../interceptor.ts'

/** What Lookups depend on. `settle`: what an outcome does to the run, in the transaction that stores it. */
type LookUpDeps = {
  services: Services
  drain: { readonly draining: boolean }
  attempt: () => Pick<ActivityAttempt, 'heartbeat'>
  settle: (trx: Trx, runId: string, node: string, result: LookedUp) => Promise<void>
}

/** The activity that makes the Lookup of a run, on the task queue of Lookups. It passes ids. */
export function lookUpActivities({ services, drain, attempt, settle }: LookUpDeps) {
  return {
    lookUp: async (runId: string): Promise<void> => {
      const waitMs = await withHeartbeat(attempt(), {}, () =>
        performLookup(services, {
          runId,
          mayBegin: () => !drain.draining,
          settle: (trx, node, result) => settle(trx, runId, node, result),
        }),
      )
      if (waitMs !== null) throw busy(waitMs)
    },
  }
}

/** Holds no slot of the worker until it is the run's turn at a busy origin: Temporal tries it again then. */
function busy(waitMs: number): ApplicationFailure {
  const message = 'the origin has as many Lookups under way as it may have'
  return ApplicationFailure.create({ type: busyFailure, message, nextRetryDelay: Math.ceil(waitMs) })
}

/**
 * Keeps what a Lookup found among the variables of its run, or why it has no answer; the run goes on. Fields that would make
 * the variables too large are null; the answer is too large if not even its names fit. A run that does not wait for it any
 * more keeps nothing.
 */
export async function settleLookup(trx: Trx, runId: string, node: string, result: LookedUp): Promise<void> {
  const key = { runId, node }
  if (result.outcome !== 'found') {
    await keepFields(trx, key, { fields: {}, error: result.outcome })
    return
  }
  const variables = await lockVariables(trx, key)
  if (!variables) return
  const kept = fittingFields(variables, result.fields)
  if (kept && (await keepFields(trx, key, { fields: kept.fields, error: null }))) {
    const refused = [...(result.refused ?? []), ...kept.refused]
    if (refused.length > 0) await storeRefusedFields(trx, key, refused)
    return
  }
  if (await keepFields(trx, key, { fields: {}, error: 'size' })) await markLookupTooLarge(trx, runId, node)
}

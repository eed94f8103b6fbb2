import { ServiceError } from '../../contract/errors.ts'
import type { CancelledRun, CancelledRuns, CancelRuns } from '../../contract/scenarios/starts.ts'
import type { Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findVersion } from '../../db/queries/scenario/version.ts'
import { type EndedRuns, endRuns, findRunOfUnits } from '../../db/queries/scenario-run/end.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { toInstant } from '../instants.ts'
import { assertMayAsk, assertMayUse } from '../messages/rights.ts'
import { findInUnits } from '../unit-access.ts'
import { telling, wakeRuns } from '../wake-scenario-runs.ts'

/** The end of runs that are cancelled by a person or key. */
const cancelled = { state: 'cancelled', reason: 'cancelled' } as const

/**
 * Ends an open run.
 * @throws ServiceError not_found, forbidden, invalid_transition if it is over
 */
export async function cancelRun(services: Services, principal: Principal, id: string): Promise<CancelledRun> {
  const toWake = await services.db.transaction().execute(async (trx) => {
    const run = await findInUnits(trx, principal, id, 'run', findRunOfUnits)
    assertMayAsk(principal, 'cancel', run.unitId)
    assertMayUse(principal, run.categoryId)
    const ended = await cancelLocked(trx, run, actorOf(principal))
    if (ended.ids.length > 0) return ended.toWake
    // It may have ended while this waited for its lock.
    const { state, closedAt } = await findInUnits(trx, principal, id, 'run', findRunOfUnits)
    throw new ServiceError('invalid_transition', 'This run is over already.', {
      state,
      by: null,
      at: toInstant(closedAt),
    })
  })
  wakeRuns(services, telling('cancelled', toWake))
  return { id, state: 'cancelled' }
}

/** Ends a run, unless it is over, and audits who did so. Also for an operator's Request Cancellation in Temporal. */
export async function cancelLocked(
  trx: Trx,
  { id, unitId }: { id: string; unitId: string },
  actor: string,
): Promise<EndedRuns> {
  const ended = await endRuns(trx, { ids: [id] }, cancelled)
  if (ended.ids.length > 0)
    await insertAudit(trx, { unitId, actor, action: 'cancel', objectKind: 'scenario_run', objectId: id })
  return ended
}

/** Runs that are ended in one transaction. */
const sliceSize = 500

/**
 * Ends the open runs of a scenario, of one version or at one node if it is named, slice by slice.
 * @throws ServiceError not_found, forbidden
 */
export async function cancelRuns(
  services: Services,
  principal: Principal,
  id: string,
  { version, node }: CancelRuns = {},
): Promise<CancelledRuns> {
  const { db } = services
  const scenario = await findInUnits(db, principal, id, 'scenario', findVersion)
  const { id: scenarioId, unitId } = scenario
  assertMayAsk(principal, 'cancel', unitId)
  assertMayUse(principal, scenario.categoryId)
  const which = { scenarioId, ...(version !== undefined && { version }), ...(node !== undefined && { node }) }
  const about = { unitId, actor: actorOf(principal), objectKind: 'scenario', objectId: scenarioId } as const
  const details = { version, node }
  let count = 0
  for (;;) {
    const { ids, toWake } = await db.transaction().execute(async (trx) => {
      const ended = await endRuns(trx, { where: which, most: sliceSize }, cancelled)
      if (count === 0 && ended.ids.length > 0)
        await insertAudit(trx, { ...about, action: 'cancel_runs', details })
      return ended
    })
    wakeRuns(services, telling('cancelled', toWake))
    count += ids.length
    if (ids.length < sliceSize) return { cancelled: count }
  }
}

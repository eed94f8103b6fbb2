import { ServiceError } from '../../contract/errors.ts'
import type { ClosedHandoff } from '../../contract/handoffs.ts'
import { limits } from '../../contract/limits.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { closeHandoff as closeRow, findSilent, type SilentHandoff } from '../../db/queries/handoff/handoff.ts'
import { findHandoff, type HandoffRow } from '../../db/queries/handoff/records.ts'
import { handoffRefusal } from '../../domain/rights/permission.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { countHandoff } from '../../metrics/rows.ts'
import type { Services } from '../context.ts'
import { toInstant } from '../instants.ts'
import { refuse } from '../refuse.ts'
import { findInUnits } from '../unit-access.ts'
import { telling, wakeRuns } from '../wake-scenario-runs.ts'

type Parts = Pick<Services, 'db' | 'wake'>

/** Who closes a handoff, and why; `silentSeconds`: only if nothing was said for so long. */
type Closing = { by: string; reason: 'closed' | 'silence'; silentSeconds?: number }

/**
 * Closes an open handoff for its unit; the run that waits for it goes on.
 * @throws ServiceError not_found, forbidden, invalid_transition if it is closed already
 */
export async function closeHandoff(
  services: Services,
  principal: Principal,
  id: string,
): Promise<ClosedHandoff> {
  const handoff = await findInUnits(services.db, principal, id, 'handoff', findHandoff)
  refuse(handoffRefusal(principal))
  if (!(await close(services, handoff, { by: actorOf(principal), reason: 'closed' }))) {
    const ended = await findInUnits(services.db, principal, id, 'handoff', findHandoff)
    throw closedAlready(ended)
  }
  return { id: handoff.id, state: 'closed' }
}

/** The error of what needs an open handoff. */
export function closedAlready({
  closedAt,
  closedBy,
}: Pick<HandoffRow, 'closedAt' | 'closedBy'>): ServiceError {
  return new ServiceError(
    'invalid_transition',
    'This handoff is closed. The person can request another one.',
    {
      state: 'closed',
      by: closedBy,
      at: toInstant(closedAt),
    },
  )
}

/** Handoffs that one round closes. */
const perRound = 100

/**
 * Closes handoffs in which nothing was said for a day, each by itself: one that fails is left to the next round. Returns
 * whether there may be more.
 */
export async function closeSilentHandoffs(services: Parts & Pick<Services, 'log'>): Promise<boolean> {
  const { handoffSilenceSeconds: silentSeconds } = limits
  const silent = await findSilent(services.db, silentSeconds, perRound)
  let closed = 0
  for (const handoff of silent)
    try {
      closed += Number(await close(services, handoff, { by: 'system:run', reason: 'silence', silentSeconds }))
    } catch (err) {
      services.log.warn({ handoffId: handoff.id, err }, 'Closing a handoff failed; the next round retries')
    }
  return silent.length === perRound && closed > 0
}

/** Closes a handoff, audits it, and wakes its run. False if it was closed already, or has a newer message. */
async function close(services: Parts, { id, unitId }: SilentHandoff, ending: Closing): Promise<boolean> {
  const runId = await services.db.transaction().execute(async (trx) => {
    const closed = await closeRow(trx, id, ending)
    if (closed === undefined) return undefined
    const { by: actor, reason } = ending
    const about = { unitId, actor, objectKind: 'handoff', objectId: id } as const
    await insertAudit(trx, { ...about, action: 'close', ...(reason === 'silence' && { reason }) })
    return closed
  })
  if (runId === undefined) return false
  countHandoff(ending.reason)
  if (runId !== null) wakeRuns(services, telling('handoffClosed', [runId]))
  return true
}

import type { Unit } from '../../contract/identity/unit-summary.ts'
import { findUnit, listMembers } from '../../db/queries/identity/unit.ts'
import { readLedger } from '../../db/queries/quota/ledger.ts'
import { monthOf } from '../../domain/lib/month.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { orNotFound, unitsOf } from '../unit-access.ts'

/**
 * One of the caller's units with its members and this month's ledger.
 * @throws ServiceError not_found
 */
export async function getUnit(services: Services, principal: Principal, id: string): Promise<Unit> {
  const unit = orNotFound(
    unitsOf(principal).includes(id) ? await findUnit(services.db, id) : undefined,
    'unit',
  )
  const month = monthOf(new Date(), services.quotaTimeZone)
  const [members, entries] = await Promise.all([
    listMembers(services.db, id),
    readLedger(services.db, id, month),
  ])
  return { ...unit, members: members.map(({ id, name, roles }) => ({ id, name, roles })), ledger: entries }
}

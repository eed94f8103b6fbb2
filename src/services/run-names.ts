import type { Db } from '../db/connect.ts'
import { findUnit } from '../db/queries/identity/unit.ts'
import { runNamesRefusal } from '../domain/rights/permission.ts'
import type { Principal } from '../domain/rights/principal.ts'
import { orNotFound } from './unit-access.ts'

/** Whether the caller may read with whom the runs of this unit are, and what follows from what these people answered. */
export async function mayReadRunNames(db: Db, principal: Principal, unitId: string): Promise<boolean> {
  const unit = orNotFound(await findUnit(db, unitId), 'unit')
  return runNamesRefusal(principal, unitId, unit.kind) === null
}

import type { Db } from '../../../src/db/connect.ts'
import { checkInvariants } from '../../../src/db/queries/maintenance/doctor.ts'

/** Accounts that do not say what the reservations on them say. */
export async function brokenSums(db: Db): Promise<string[]> {
  const findings = await checkInvariants(db)
  return findings.find(({ name }) => name === 'ledger-matches-reservations')!.violations
}

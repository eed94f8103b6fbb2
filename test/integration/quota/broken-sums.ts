import type { Db } from '../../../src/db/connect.ts'
import { checkInvariants } from '../../../src/db/queries/doctor/doctor.ts'

/** Accounts whose sums differ from their reservations. */
export async function brokenSums(db: Db): Promise<string[]> {
  const findings = await checkInvariants(db)
  return findings.find(({ name }) => name === 'ledger-matches-reservations')!.violations
}

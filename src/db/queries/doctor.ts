import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import type { Invariant } from './doctor/invariant.ts'
import { ledgerInvariants } from './doctor/ledger.ts'
import { recipients } from './doctor/recipients.ts'
import { times } from './doctor/times.ts'
import { brokenTrails } from './doctor/trail.ts'

/**
 * How an invariant stands: `count` things break it, the first of them in `violations` (ids and numbers only).
 */
export type Finding = { name: string; means: string; ok: boolean; count: number; violations: string[] }

const violationsShown = 20

/**
 * Looks at every invariant that SQL can see (quality.md: I1, I4, I5, I6, I8, I10, I11). Reads the tables whole:
 * not for a page.
 */
export async function checkInvariants(db: Db): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const invariant of [...recipients, ...ledgerInvariants]) findings.push(await check(db, invariant))
  findings.push(
    finding('I6', 'the audit trail of a message is a legal path to its state', await brokenTrails(db)),
  )
  for (const invariant of times) findings.push(await check(db, invariant))
  return findings
}

async function check(db: Db, { name, means, broken }: Invariant): Promise<Finding> {
  const { rows } = await sql<{ violation: string; count: number }>`
    select violation, count(*) over () as count from (${broken}) as broken limit ${violationsShown}
  `.execute(db)
  return finding(
    name,
    means,
    rows.map(({ violation }) => violation),
    rows[0]?.count,
  )
}

/** How an invariant stands, by what breaks it; `count` where `violations` are not all of it. */
export function finding(
  name: string,
  means: string,
  violations: string[],
  count = violations.length,
): Finding {
  return { name, means, ok: count === 0, count, violations: violations.slice(0, violationsShown) }
}

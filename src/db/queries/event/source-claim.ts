import { sql } from 'kysely'
import type { Db, Trx } from '../../connect.ts'

/** Whether the unit has claimed a source. */
export async function hasClaimed(trx: Trx, unitId: string, source: string): Promise<boolean> {
  const { rows } = await sql`
    select from event_source_claim where source = ${source} and unit_id = ${unitId}`.execute(trx)
  return rows.length > 0
}

type Claim = { unitId: string; sources: readonly string[]; claimedBy: string }

/** Claims sources for a unit, beside those that have claimed them. */
export async function insertClaims(db: Db | Trx, { unitId, sources, claimedBy }: Claim): Promise<void> {
  await db
    .insertInto('event_source_claim')
    .values(sources.map((source) => ({ source, unit_id: unitId, claimed_by: claimedBy })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Claims locked sources for a unit alone. */
export async function takeClaims(trx: Trx, claim: Claim): Promise<void> {
  await sql`
    delete from event_source_claim where source = any(${[...claim.sources]}::text[]) and unit_id <> ${claim.unitId}`.execute(
    trx,
  )
  await insertClaims(trx, claim)
}

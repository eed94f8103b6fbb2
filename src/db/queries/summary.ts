import { sql } from 'kysely'
import type { Db } from '../connect.ts'

/** What waits or moves in a unit; counts. */
export type Summary = { toApprove: number; templatesToApprove: number; sending: number; parked: number }

/**
 * Counts what is open in a unit, over the index of open messages (`message_open`): what is long over costs nothing. A
 * sent message counts as sending while its reminder is.
 */
export async function summaryOf(db: Db, unitId: string): Promise<Summary> {
  const reminds = sql`m.state = 'sent' and exists (select from wave w
    where w.message_id = m.id and w.number = 1 and w.state = 'sending')`
  const { rows } = await sql<Summary>`
    select
      count(*) filter (where m.state = 'submitted') as "toApprove",
      count(*) filter (where m.state = 'sending' or ${reminds}) as sending,
      count(m.problem) as parked,
      (select count(*) from template t where t.unit_id = ${unitId} and exists (
        select from template_version v where v.template_id = t.id and v.state = 'draft' and v.version = (
          select max(newest.version) from template_version newest where newest.template_id = t.id)
      )) as "templatesToApprove"
    from message m
    where m.unit_id = ${unitId} and m.closed_at is null and m.state <> 'draft'`.execute(db)
  return rows[0]!
}

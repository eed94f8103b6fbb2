import { sql } from 'kysely'
import type { Purge } from '../retention/retention.ts'
import { lockRollUp } from './roll-up.ts'

/**
 * Whom units have reached, once the last time is past retention. They leave the number of people by date, so that somebody
 * who is reached again later is not counted twice.
 */
export const contacts: Purge = {
  async count(db, before) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from contact where last_on < ${before}::date`.execute(db)
    return rows[0]!.n
  },
  async slice(db, before, limit) {
    return db.transaction().execute(async (trx) => {
      if (!(await lockRollUp(trx))) return 0
      const { rows } = await sql<{ n: number }>`
        with gone as (
          delete from contact where (unit_id, subject_id) in (
            select unit_id, subject_id from contact where last_on < ${before}::date limit ${limit})
          returning unit_id, last_on
        ),
        fewer as (
          update contact_day as kept set people = kept.people - day.people
          from (select unit_id, last_on as date, count(*) as people from gone group by unit_id, last_on) as day
          where kept.unit_id = day.unit_id and kept.date = day.date
        )
        select count(*) as n from gone
      `.execute(trx)
      return rows[0]!.n
    })
  },
}

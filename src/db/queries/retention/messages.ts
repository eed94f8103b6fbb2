import { sql } from 'kysely'
import type { Purge } from './purge.ts'

/** Messages are larger than other rows, and have calls with up to 500 addresses each. */
const atOnce = 50

/**
 * What closed messages said and whom they named: texts, variables, titles, uids, the addresses in their calls. The
 * message itself stays, with its states, snapshot and counts, under the name of its category.
 */
export const messageBodies: Purge = {
  async count(db, before) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from message where closed_at < ${before} and purged_at is null`.execute(db)
    return rows[0]!.n
  },
  async slice(db, before, limit) {
    const { rows } = await sql<{ n: number }>`
      with old as (
        select id from message where closed_at < ${before} and purged_at is null
        order by closed_at limit ${Math.min(limit, atOnce)} for no key update skip locked
      ),
      emptied as (
        update message_content set request = '{}', frozen = null, compiled = null
        from old where message_id = old.id
      ),
      unaddressed as (
        update call set addresses = '{}'
        from old join wave on wave.message_id = old.id where call.wave_id = wave.id
      ),
      purged as (
        update message as m set purged_at = clock_timestamp(), title = category.name,
          audience = case m.audience ->> 'kind' when 'individual' then m.audience || '{"uids": []}' else m.audience end
        from old, category where m.id = old.id and category.id = m.category_id
        returning m.id
      )
      select count(*) as n from purged
    `.execute(db)
    return rows[0]!.n
  },
}

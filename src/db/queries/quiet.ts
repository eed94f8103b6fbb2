import { sql } from 'kysely'
import type { Quiet } from '../../domain/quiet-hours.ts'

/**
 * When a category (`c`) does not disturb the people of a unit (`u`); null: it may at any time, as a mandatory one
 * does.
 */
export const quiet = sql<Quiet | null>`
  case when c.quiet_hours is not null and c.layer <> 'mandatory'
    then jsonb_build_object('hours', c.quiet_hours, 'timeZone', u.time_zone) end`

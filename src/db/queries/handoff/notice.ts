import { sql } from 'kysely'
import type { Locale } from '../../../contract/enums.ts'
import { backOff } from '../../back-off.ts'
import type { Db, Trx } from '../../connect.ts'
import { shownUnitName } from '../identity/unit.ts'

/**
 * Writes a notice about a handoff that opens to everybody in its unit who has not disabled them; none about that of a
 * test.
 */
export async function insertHandoffNotices(trx: Trx, handoffId: string): Promise<void> {
  await sql`
    insert into handoff_notice (handoff_id, person_id)
    select distinct handoff.id, member.person_id
    from handoff join member on member.unit_id = handoff.unit_id
      join person on person.id = member.person_id and person.handoff_notices
    where handoff.id = ${handoffId} and not handoff.test
    order by member.person_id
    on conflict do nothing`.execute(trx)
}

/** A notice with the facts of its mail. `current`: the handoff is open. `scenario`: its name; null: the assistant asked. */
export type DueHandoffNotice = {
  id: string
  handoffId: string
  tries: number
  current: boolean
  personId: string
  email: string
  language: Locale
  unit: string
  timeZone: string
  scenario: string | null
  openedAt: Date
}

/** Takes a due notice; it is due again later unless its outcome is written. Safe to call from several workers. */
export async function takeHandoffNotice(db: Db): Promise<DueHandoffNotice | undefined> {
  const { rows } = await sql<DueHandoffNotice>`
    with taken as (
      update handoff_notice
      set tries = tries + 1, next_try_at = greatest(${backOff}, clock_timestamp() + interval '1 minute')
      where id in (
        select id from handoff_notice where state = 'waiting' and next_try_at <= clock_timestamp()
        order by next_try_at limit 1 for update skip locked)
      returning *
    )
    select taken.id, handoff.id as "handoffId", taken.tries, handoff.closed_at is null as current,
      person.id as "personId", person.email, person.language,
      ${shownUnitName('unit', sql.ref('person.language'))} as unit, unit.time_zone as "timeZone",
      version.name as scenario, handoff.opened_at as "openedAt"
    from taken
      join handoff on handoff.id = taken.handoff_id
      join person on person.id = taken.person_id
      join unit on unit.id = handoff.unit_id
      left join scenario_run as run on run.id = handoff.run_id
      left join scenario_version as version on version.scenario_id = run.scenario_id
        and version.version = run.version_number`.execute(db)
  return rows[0]
}

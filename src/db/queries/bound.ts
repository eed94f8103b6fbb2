import { type RawBuilder, sql } from 'kysely'
import type { Bound } from '../../contract/limits.ts'
import type { Trx } from '../connect.ts'

/** The rows that a bound counts, of the unit or object that has them; `id` is null for those of the installation. */
const rowsOf: { [of in Bound]: (id: string | null) => RawBuilder<unknown> } = {
  media: (id) => sql`media where unit_id = ${id}`,
  compositions: (id) => sql`composition where unit_id = ${id} and submitted_id is null`,
  scenarios: (id) => sql`scenario where unit_id = ${id}`,
  scenarioVersions: (id) => sql`scenario_version where scenario_id = ${id}`,
  templates: (id) => sql`template where unit_id = ${id}`,
  templateVersions: (id) => sql`template_version where template_id = ${id}`,
  schedules: (id) => sql`schedule where unit_id = ${id} and closed_at is null`,
  groups: (id) => sql`subject_group where unit_id = ${id}`,
  topics: (id) => sql`topic where unit_id = ${id}`,
  bindings: (id) => sql`event_binding where unit_id = ${id}`,
  bindingVersions: (id) => sql`event_binding_version where binding_id = ${id}`,
  eventKeys: (id) => sql`event_key where unit_id = ${id}`,
  callbacks: (id) => sql`callback where unit_id = ${id}`,
  keys: (id) => sql`producer_key where unit_id = ${id}`,
  categories: () => sql`category`,
  valueNames: () => sql`value_name`,
  lookupEndpoints: () => sql`lookup_endpoint`,
}

/**
 * Whether one more may be stored, of at most `most`. The lock lets one transaction at a time add some, so that two at once
 * cannot both take the last place. Reads at most `most` rows. Lock order: after the object that has them, before all else.
 */
export async function hasRoom(trx: Trx, of: Bound, id: string | null, most: number): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bound ${of} ${id ?? ''}`}, 0))`.execute(trx)
  const { rows } = await sql`select from ${rowsOf[of](id)} offset ${most - 1} limit 1`.execute(trx)
  return rows.length === 0
}

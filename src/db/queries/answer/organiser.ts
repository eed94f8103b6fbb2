import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../connect.ts'

/** What is answered: a message or a pattern. */
export type Answered = { kind: 'message' | 'pattern'; id: string }

/** A member of the unit who was named to read who answered what. `since`: as Postgres writes it into JSON. */
export type OrganiserRow = { id: string; name: string; since: string }

/** The organisers of what has this id in the query, by name. */
export function organisersOf(kind: Answered['kind'], id: RawBuilder<unknown>): RawBuilder<OrganiserRow[]> {
  return sql<OrganiserRow[]>`(
    select coalesce(json_agg(json_build_object('id', person.id, 'name', person.name, 'since', organiser.named_at)
      order by person.name, person.id), '[]')
    from organiser join person on person.id = organiser.person_id where ${columnOf(kind)} = ${id})`
}

/** Since when a person is an organiser; null: they are none. `personId` null: a caller who is no person. */
export function organiserSince(
  kind: Answered['kind'],
  id: RawBuilder<unknown>,
  personId: string | null,
): RawBuilder<Date | null> {
  return sql<Date | null>`(
    select named_at from organiser where ${columnOf(kind)} = ${id} and organiser.person_id = ${personId}::uuid)`
}

/** Those of these ids that are of no member of the unit. */
export async function findStrangers(db: Db, unitId: string, personIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select named as id from unnest(${personIds}::uuid[]) as named
    where not exists (select from member where unit_id = ${unitId} and person_id = named)`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Names the organisers of a message or a pattern: all of them, so that others no longer are. Who was one stays one since
 * then. Returns whether anything changed.
 */
export async function writeOrganisers(
  trx: Trx,
  { kind, id }: Answered,
  { unitId, personIds, by }: { unitId: string; personIds: readonly string[]; by: string },
): Promise<boolean> {
  const column = columnOf(kind)
  const { numAffectedRows: gone } = await sql`
    delete from organiser where ${column} = ${id} and person_id <> all(${personIds}::uuid[])`.execute(trx)
  const { numAffectedRows: fresh } = await sql`
    insert into organiser (${column}, unit_id, person_id, named_by)
    select ${id}::uuid, ${unitId}::uuid, named, ${by} from unnest(${personIds}::uuid[]) as named
    on conflict do nothing`.execute(trx)
  return gone! + fresh! > 0n
}

/** A message or a pattern of these units, with its unit. */
export async function findAnswered(
  db: Db,
  { kind, id }: Answered,
  unitIds: string[],
): Promise<(Answered & { unitId: string }) | undefined> {
  const { rows } = await sql<{ id: string; unitId: string }>`
    select id, unit_id as "unitId" from ${sql.table(kind)}
    where id = ${id} and unit_id = any(${unitIds}::uuid[])`.execute(db)
  return rows[0] && { kind, ...rows[0] }
}

/** The organisers of a message or a pattern, by name. */
export async function findOrganisers(db: Db, { kind, id }: Answered): Promise<OrganiserRow[]> {
  const { rows } = await sql<{ organisers: OrganiserRow[] }>`
    select ${organisersOf(kind, sql`${id}::uuid`)} as organisers`.execute(db)
  return rows[0]!.organisers
}

/** Ends what a person was named to read in a unit that they have left. */
export async function deleteOrganiser(trx: Trx, unitId: string, personId: string): Promise<void> {
  await trx.deleteFrom('organiser').where('unit_id', '=', unitId).where('person_id', '=', personId).execute()
}

function columnOf(kind: Answered['kind']): RawBuilder<unknown> {
  return sql.ref(kind === 'message' ? 'message_id' : 'pattern_id')
}

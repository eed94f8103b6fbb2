import { sql } from 'kysely'
import type { Role, UnitKind } from '../../../contract/enums.ts'
import type { Db } from '../../connect.ts'
import type { RowPage } from '../../rows.ts'

export type Unit = { id: string; name: string; kind: UnitKind; timeZone: string }

/** Creates a unit. A name that exists fails as a unique violation. */
export async function insertUnit(
  db: Db,
  unit: { name: string; kind: UnitKind; timeZone?: string },
): Promise<Unit> {
  return db
    .insertInto('unit')
    .values({ name: unit.name, kind: unit.kind, ...(unit.timeZone && { time_zone: unit.timeZone }) })
    .returning(['id', 'name', 'kind', 'time_zone as timeZone'])
    .executeTakeFirstOrThrow()
}

/** A unit by id. */
export async function findUnit(db: Db, id: string): Promise<Unit | undefined> {
  return db
    .selectFrom('unit')
    .select(['id', 'name', 'kind', 'time_zone as timeZone'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Changes the given fields of a unit. Undefined if it does not exist. */
export async function updateUnit(
  db: Db,
  id: string,
  { name, kind, timeZone }: Partial<Omit<Unit, 'id'>>,
): Promise<Unit | undefined> {
  return db
    .updateTable('unit')
    .set({ ...(name && { name }), ...(kind && { kind }), ...(timeZone && { time_zone: timeZone }) })
    .where('id', '=', id)
    .returning(['id', 'name', 'kind', 'time_zone as timeZone'])
    .executeTakeFirst()
}

/** Units by name: all, or a page after the name `after`. */
export async function listUnits(db: Db, page?: RowPage): Promise<Unit[]> {
  return db
    .selectFrom('unit')
    .select(['id', 'name', 'kind', 'time_zone as timeZone'])
    .$if(page?.after != null, (query) => query.where('name', '>', page!.after!))
    .orderBy('name')
    .$if(page !== undefined, (query) => query.limit(page!.limit))
    .execute()
}

export type Member = { id: string; name: string; email: string; roles: Role[] }

/** The members of a unit, by name. */
export async function listMembers(db: Db, unitId: string): Promise<Member[]> {
  return db
    .selectFrom('member as m')
    .innerJoin('person as p', 'p.id', 'm.person_id')
    .select(['p.id', 'p.name', 'p.email'])
    .select(sql<Role[]>`json_agg(m.role order by m.role)`.as('roles'))
    .where('m.unit_id', '=', unitId)
    .groupBy('p.id')
    .orderBy('p.name')
    .orderBy('p.id')
    .execute()
}

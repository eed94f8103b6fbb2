import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import type { Role, UnitKind } from '../tables.ts'

export type Unit = { id: string; name: string; kind: UnitKind; timeZone: string }

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

export async function findUnit(db: Db, id: string): Promise<Unit | undefined> {
  return db
    .selectFrom('unit')
    .select(['id', 'name', 'kind', 'time_zone as timeZone'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** All units, by name; for the command line. */
export async function listUnits(db: Db): Promise<Unit[]> {
  return db
    .selectFrom('unit')
    .select(['id', 'name', 'kind', 'time_zone as timeZone'])
    .orderBy('name')
    .orderBy('id')
    .execute()
}

export type Member = { id: string; name: string; email: string; roles: Role[] }

/** Everybody who works in the unit, by name. */
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

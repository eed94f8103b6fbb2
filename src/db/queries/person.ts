import type { Db } from '../connect.ts'
import type { Role } from '../tables.ts'

export type PersonBrief = { id: string; name: string; email: string }

export async function findPersonByEmail(db: Db, email: string): Promise<PersonBrief | undefined> {
  return db
    .selectFrom('person')
    .select(['id', 'name', 'email'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
}

/** The person with this address, made where there is none; a known one keeps the name unless another is given. */
export async function upsertPerson(
  db: Db,
  person: { email: string; name: string; systemAdmin?: boolean },
): Promise<string> {
  const { id } = await db
    .insertInto('person')
    .values({
      email: person.email.toLowerCase(),
      name: person.name,
      ...(person.systemAdmin && { system_admin: true }),
    })
    .onConflict((conflict) =>
      conflict.column('email').doUpdateSet((excluded) => ({
        name: excluded.ref('excluded.name'),
        ...(person.systemAdmin && { system_admin: true }),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Gives a person roles in a unit; those held already stay. Answers whether anything changed. */
export async function insertMember(
  db: Db,
  unitId: string,
  personId: string,
  roles: Role[],
): Promise<boolean> {
  const rows = await db
    .insertInto('member')
    .values(roles.map((role) => ({ unit_id: unitId, person_id: personId, role })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('role')
    .execute()
  return rows.length > 0
}

import type { Locale } from '../../contract/localised-text.ts'
import type { Db } from '../connect.ts'
import type { Role } from '../tables.ts'

export type PersonBrief = { id: string; name: string; email: string }

/** Who has this address, however it is written in capitals. */
export async function findPersonByEmail(db: Db, email: string): Promise<PersonBrief | undefined> {
  return db
    .selectFrom('person')
    .select(['id', 'name', 'email'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
}

/** Where a person can be reached themselves: their own mail, and the chat of the subject that they are. */
export async function findOwnAddresses(
  db: Db,
  personId: string,
): Promise<{ language: Locale; email: string; chat: string | null }> {
  return db
    .selectFrom('person as p')
    .leftJoin('subject as s', 's.uid', 'p.subject_uid')
    .leftJoin('address as a', (join) => join.onRef('a.subject_id', '=', 's.id').on('a.channel', '=', 'chat'))
    .select(['p.language', 'p.email', 'a.address as chat'])
    .where('p.id', '=', personId)
    .executeTakeFirstOrThrow()
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

/** Takes roles away from a person in a unit. Answers whether anything changed. */
export async function deleteMember(
  db: Db,
  unitId: string,
  personId: string,
  roles: Role[],
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('member')
    .where('unit_id', '=', unitId)
    .where('person_id', '=', personId)
    .where('role', 'in', roles)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

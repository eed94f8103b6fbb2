import { type Expression, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { PersonPrincipal } from '../../domain/principal.ts'
import type { Db } from '../connect.ts'
import type { Role } from '../tables.ts'

export type NewSession = { tokenHash: Buffer; personId: string; expiresAt: Date }

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db
    .insertInto('session')
    .values({ token_hash: session.tokenHash, person_id: session.personId, expires_at: session.expiresAt })
    .execute()
}

/** Who holds a session that is neither over nor ended; undefined where nobody does. Roles are read at every call. */
export async function findSessionPrincipal(db: Db, tokenHash: Buffer): Promise<PersonPrincipal | undefined> {
  const row = await db
    .selectFrom('session as s')
    .innerJoin('person as p', 'p.id', 's.person_id')
    .select(['p.id as personId', 'p.system_admin as systemAdmin'])
    .select((query) =>
      jsonArrayFrom(
        query
          .selectFrom('member as m')
          .select('m.unit_id as unitId')
          .select((member) => rolesOf(member.ref('m.role')).as('roles'))
          .whereRef('m.person_id', '=', 'p.id')
          .groupBy('m.unit_id')
          .orderBy('m.unit_id'),
      ).as('memberships'),
    )
    .where('s.token_hash', '=', tokenHash)
    .where('s.ended_at', 'is', null)
    .where('s.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row && { kind: 'person', ...row }
}

function rolesOf(role: Expression<Role>) {
  return sql<Role[]>`json_agg(${role} order by ${role})`
}

/** Ends a session at once; nothing happens where it is over already. */
export async function endSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db
    .updateTable('session')
    .set({ ended_at: sql`now()` })
    .where('token_hash', '=', tokenHash)
    .where('ended_at', 'is', null)
    .execute()
}

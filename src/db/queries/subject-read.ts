import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Db, Trx } from '../connect.ts'

/** The two names of a person. */
export type SubjectNames = { id: string; uid: string }

/**
 * Whom a path names: by the producer's uid or, where nobody has that, by our id. `id`: what is named, if it may be an id
 * of ours. `hold`: nobody erases them before the transaction is over.
 */
export async function findSubjectNames(
  db: Db | Trx,
  { named, id, hold = false }: { named: string; id: string | null; hold?: boolean },
): Promise<SubjectNames | undefined> {
  return db
    .selectFrom('subject')
    .select(['id', 'uid'])
    .where((is) => (id === null ? is('uid', '=', named) : is.or([is('uid', '=', named), is('id', '=', id)])))
    .orderBy((is) => is('uid', '=', named), 'desc')
    .limit(1)
    .$if(hold, (query) => query.forKeyShare())
    .executeTakeFirst()
}

/** A person with addresses and consents, in one query. */
export async function findSubject(db: Db | Trx, id: string) {
  return db
    .selectFrom('subject')
    .selectAll()
    .select((from) => [
      jsonArrayFrom(
        from
          .selectFrom('address')
          .select(['channel', 'address', 'bound_at', 'blocked_at', 'suppressed_at'])
          .whereRef('address.subject_id', '=', 'subject.id')
          .orderBy('channel'),
      ).as('addresses'),
      jsonArrayFrom(
        from
          .selectFrom('consent')
          .select(['scope', 'version', 'source', 'granted_at', 'withdrawn_at'])
          .whereRef('consent.subject_id', '=', 'subject.id')
          .orderBy('scope'),
      ).as('consents'),
    ])
    .where('id', '=', id)
    .executeTakeFirst()
}
export type SubjectRow = NonNullable<Awaited<ReturnType<typeof findSubject>>>

/** A consent of somebody as it stands, withdrawn or not. */
export async function findConsent(db: Db | Trx, subjectId: string, scope: string) {
  return db
    .selectFrom('consent')
    .select(['scope', 'version', 'source', 'granted_at', 'withdrawn_at'])
    .where('subject_id', '=', subjectId)
    .where('scope', '=', scope)
    .executeTakeFirst()
}

/** Unbinds; true when there was an address. */
export async function deleteAddress(
  trx: Trx,
  subjectId: string,
  channel: 'chat' | 'email',
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('address')
    .where('subject_id', '=', subjectId)
    .where('channel', '=', channel)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

import { type Expression, type RawBuilder, sql } from 'kysely'
import type { AuthorNotice, Locale, Role } from '../../../contract/enums.ts'
import type { Db, Trx } from '../../connect.ts'
import { newestFirst, type RowPage } from '../../rows.ts'

/** The display name of an actor: a person's, a key's or a schedule's; null for the system's own actors. */
export function actorName(actor: Expression<string | null>): RawBuilder<string | null> {
  return sql<string | null>`case
    when ${actor} like 'person:%' then (
      select named.name from person as named where named.id = substr(${actor}, 8)::uuid)
    when ${actor} like 'key:%' then (
      select named.name from producer_key as named where named.id = substr(${actor}, 5))
    when ${actor} like 'scenario:%' then (
      select named.name from scenario_version as named
      where named.scenario_id = substr(${actor}, 10)::uuid order by named.version desc limit 1)
    when ${actor} like 'schedule:%' then (
      select named.name from schedule as named where named.id = substr(${actor}, 10)::uuid)
  end`
}

type PersonSummary = { id: string; name: string; email: string }

/** The person with this e-mail address, ignoring case. */
export async function findPersonByEmail(db: Db, email: string): Promise<PersonSummary | undefined> {
  return db
    .selectFrom('person')
    .select(['id', 'name', 'email'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
}

/** A person's own addresses: their e-mail, and the chat address of the subject who is the same person. */
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

/** The subject that a person is. */
export async function findOwnSubject(
  db: Db,
  personId: string,
): Promise<{ id: string; uid: string } | undefined> {
  return db
    .selectFrom('person as p')
    .innerJoin('subject as s', 's.uid', 'p.subject_uid')
    .select(['s.id', 's.uid'])
    .where('p.id', '=', personId)
    .executeTakeFirst()
}

/** How many other people have a role in a unit. Locks it, so that two who come at once are counted. */
export async function countOtherMembers(trx: Trx, unitId: string, personId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with unit as materialized (select id from unit where id = ${unitId} for no key update)
    select count(distinct person_id) from unit join member on unit_id = unit.id
    where person_id <> ${personId}`.execute(trx)
  return rows[0]!.count
}

/** Adds roles of a person in a unit. Returns those that the person did not have. */
export async function insertMember(db: Db, unitId: string, personId: string, roles: Role[]): Promise<Role[]> {
  const rows = await db
    .insertInto('member')
    .values(roles.map((role) => ({ unit_id: unitId, person_id: personId, role })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('role')
    .execute()
  return rows.map(({ role }) => role)
}

/** Removes roles of a person in a unit. Returns those that the person had. */
export async function deleteMember(db: Db, unitId: string, personId: string, roles: Role[]): Promise<Role[]> {
  const rows = await db
    .deleteFrom('member')
    .where('unit_id', '=', unitId)
    .where('person_id', '=', personId)
    .where('role', 'in', roles)
    .returning('role')
    .execute()
  return rows.map(({ role }) => role)
}

/** A person as system administrators see them. */
type PersonRecord = {
  id: string
  name: string
  email: string
  systemAdmin: boolean
  language: Locale
  notices: boolean
  authorNotices: AuthorNotice[]
  handoffNotices: boolean
  subjectUid: string | null
}

/** A missing field is unchanged; an e-mail address is stored in lower case. */
export type PersonChange = { [Field in keyof Omit<PersonRecord, 'id'>]?: PersonRecord[Field] | undefined }

function selectPerson(db: Db) {
  return db
    .selectFrom('person')
    .select([
      'id',
      'name',
      'email',
      'system_admin as systemAdmin',
      'language',
      'notices',
      'author_notices as authorNotices',
      'handoff_notices as handoffNotices',
    ])
    .select('subject_uid as subjectUid')
}

export async function findPerson(db: Db, id: string): Promise<PersonRecord | undefined> {
  return selectPerson(db).where('id', '=', id).executeTakeFirst()
}

/** People, newest first; with `email`, only the person with that address. */
export async function listPersons(db: Db, email: string | undefined, page: RowPage): Promise<PersonRecord[]> {
  return newestFirst(selectPerson(db), 'id', page)
    .$if(email !== undefined, (query) => query.where('email', '=', email!.toLowerCase()))
    .execute()
}

/** Creates a person. Returns their id. An e-mail address that exists fails as a unique violation. */
export async function insertPerson(
  trx: Trx,
  { email, name, ...others }: PersonChange & { email: string; name: string },
): Promise<string> {
  const { id } = await trx
    .insertInto('person')
    .values({ email: email.toLowerCase(), name, ...columnsOf(others) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes a person. Returns whether they exist. */
export async function updatePerson(trx: Trx, id: string, change: PersonChange): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('person')
    .set({ id, ...columnsOf(change) })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function columnsOf({ email, name, systemAdmin, language, subjectUid, ...mails }: PersonChange) {
  const { notices, authorNotices, handoffNotices } = mails
  return {
    ...(email !== undefined && { email: email.toLowerCase() }),
    ...(name !== undefined && { name }),
    ...(systemAdmin !== undefined && { system_admin: systemAdmin }),
    ...(language !== undefined && { language }),
    ...(notices !== undefined && { notices }),
    ...(authorNotices !== undefined && { author_notices: authorNotices }),
    ...(handoffNotices !== undefined && { handoff_notices: handoffNotices }),
    ...(subjectUid !== undefined && { subject_uid: subjectUid }),
  }
}

/** The ids of all system administrators, locked in order until the transaction ends. */
export async function lockSystemAdmins(trx: Trx): Promise<string[]> {
  const rows = await trx
    .selectFrom('person')
    .select('id')
    .where('system_admin', '=', true)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

import { type Expression, expressionBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { AuthorNotice, Locale, Role } from '../../../contract/enums.ts'
import type { PersonPrincipal } from '../../../domain/rights/principal.ts'
import type { Db, Trx } from '../../connect.ts'
import type { Database } from '../../tables.ts'

/** `idleMinutes`: idle timeout; null: none. */
type NewSession = { tokenHash: Buffer; personId: string; expiresAt: Date; idleMinutes: number | null }

/** Creates a session. Returns its id. */
export async function insertSession(db: Db, session: NewSession): Promise<string> {
  const { id } = await db
    .insertInto('session')
    .values({
      token_hash: session.tokenHash,
      person_id: session.personId,
      expires_at: session.expiresAt,
      idle_minutes: session.idleMinutes,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const inTime = sql<boolean>`s.expires_at > now() and (s.idle_minutes is null or
  s.seen_at > now() - make_interval(mins => s.idle_minutes))`

/**
 * The person of an active session; undefined if it is expired or ended. Reads the roles on every call. `unseen`:
 * `seen_at` is more than a minute old, see `touchSession`.
 */
export async function findSessionPrincipal(
  db: Db,
  tokenHash: Buffer,
): Promise<{ principal: PersonPrincipal; unseen: boolean } | undefined> {
  const row = await db
    .selectFrom('session as s')
    .innerJoin('person as p', 'p.id', 's.person_id')
    .select(['p.id as personId', 'p.system_admin as systemAdmin'])
    .select(({ ref }) => membershipsOf(ref('p.id')).as('memberships'))
    .select(sql<boolean>`s.idle_minutes is not null and s.seen_at < now() - interval '1 minute'`.as('unseen'))
    .where('s.token_hash', '=', tokenHash)
    .where('s.ended_at', 'is', null)
    .where(inTime)
    .executeTakeFirst()
  if (!row) return undefined
  const { unseen, ...person } = row
  return { principal: { kind: 'person', ...person }, unseen }
}

/** A person as a caller, without a session: for what they left to be done later. Undefined if they do not exist. */
export async function findPersonPrincipal(db: Db, personId: string): Promise<PersonPrincipal | undefined> {
  const row = await db
    .selectFrom('person as p')
    .select(['p.id as personId', 'p.system_admin as systemAdmin'])
    .select(({ ref }) => membershipsOf(ref('p.id')).as('memberships'))
    .where('p.id', '=', personId)
    .executeTakeFirst()
  return row && { kind: 'person', ...row }
}

function membershipsOf(personId: Expression<string>) {
  return jsonArrayFrom(
    expressionBuilder<Database, never>()
      .selectFrom('member as m')
      .select('m.unit_id as unitId')
      .select((member) => rolesOf(member.ref('m.role')).as('roles'))
      .where('m.person_id', '=', personId)
      .groupBy('m.unit_id')
      .orderBy('m.unit_id'),
  )
}

function rolesOf(role: Expression<Role>) {
  return sql<Role[]>`json_agg(${role} order by ${role})`
}

/** Records that a session is in use now. */
export async function touchSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.updateTable('session').set({ seen_at: sql`now()` }).where('token_hash', '=', tokenHash).execute()
}

type SessionView = {
  id: string
  name: string
  email: string
  systemAdmin: boolean
  language: Locale
  notices: boolean
  authorNotices: AuthorNotice[]
  handoffNotices: boolean
  expiresAt: Date
  units: { id: string; name: string; roles: Role[] }[]
}

/** An active session as its person sees it; units by name. */
export async function findSessionView(db: Db, tokenHash: Buffer): Promise<SessionView | undefined> {
  return db
    .selectFrom('session as s')
    .innerJoin('person as p', 'p.id', 's.person_id')
    .select(['p.id', 'p.name', 'p.email', 'p.system_admin as systemAdmin', 'p.language'])
    .select(['p.notices', 'p.author_notices as authorNotices', 'p.handoff_notices as handoffNotices'])
    .select('s.expires_at as expiresAt')
    .select((query) =>
      jsonArrayFrom(
        query
          .selectFrom('member as m')
          .innerJoin('unit as u', 'u.id', 'm.unit_id')
          .select(['u.id', 'u.name'])
          .select((member) => rolesOf(member.ref('m.role')).as('roles'))
          .whereRef('m.person_id', '=', 'p.id')
          .groupBy('u.id')
          .orderBy('u.name')
          .orderBy('u.id'),
      ).as('units'),
    )
    .where('s.token_hash', '=', tokenHash)
    .where('s.ended_at', 'is', null)
    .where(inTime)
    .executeTakeFirst()
}

/** Ends a session, effective immediately. Returns which one; undefined if none matches or it has ended already. */
export async function endSession(
  db: Db,
  which: { token_hash: Buffer } | { id: string },
): Promise<{ id: string; personId: string } | undefined> {
  return db
    .updateTable('session')
    .set({ ended_at: sql`now()` })
    .where((session) => session.and(which))
    .where('ended_at', 'is', null)
    .returning(['id', 'person_id as personId'])
    .executeTakeFirst()
}

type SessionSummary = { id: string; name: string; email: string; createdAt: Date; expiresAt: Date }

/** All active sessions, newest first; for the command line. */
export async function listSessions(db: Db): Promise<SessionSummary[]> {
  return db
    .selectFrom('session as s')
    .innerJoin('person as p', 'p.id', 's.person_id')
    .select(['s.id', 'p.name', 'p.email', 's.created_at as createdAt', 's.expires_at as expiresAt'])
    .where('s.ended_at', 'is', null)
    .where(inTime)
    .orderBy('s.id', 'desc')
    .execute()
}

/** A sign-in attempt, while the browser is at the identity provider. */
export type Attempt = { nonce: string; verifier: string; returnTo: string }
type NewAttempt = Attempt & { stateHash: Buffer; browserHash: Buffer; minutes: number }

/** Stores an attempt, and deletes expired ones. */
export async function insertAttempt(db: Db, attempt: NewAttempt): Promise<void> {
  await db.deleteFrom('sign_in').where('expires_at', '<', sql<Date>`now()`).execute()
  await db
    .insertInto('sign_in')
    .values({
      state_hash: attempt.stateHash,
      browser_hash: attempt.browserHash,
      nonce: attempt.nonce,
      verifier: attempt.verifier,
      return_to: attempt.returnTo,
      expires_at: sql<Date>`now() + make_interval(mins => ${attempt.minutes})`,
    })
    .execute()
}

/** Redeems the attempt with this state, once, if this browser started it and it has not expired. */
export async function takeAttempt(
  db: Db,
  stateHash: Buffer,
  browserHash: Buffer,
): Promise<Attempt | undefined> {
  return db
    .deleteFrom('sign_in')
    .where('state_hash', '=', stateHash)
    .where('browser_hash', '=', browserHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['nonce', 'verifier', 'return_to as returnTo'])
    .executeTakeFirst()
}

/** An account at the identity provider: the `iss` and `sub` of its ID token. */
export type Account = { issuer: string; subject: string }

/** A person with the account they sign in with, locked for the rest of the transaction. */
type AccountHolder = { id: string; account: Account | null }

/** The person who signs in with this account. */
export async function lockHolder(trx: Trx, { issuer, subject }: Account): Promise<AccountHolder | undefined> {
  const row = await trx
    .selectFrom('person')
    .select('id')
    .where('oidc_issuer', '=', issuer)
    .where('oidc_subject', '=', subject)
    .forUpdate()
    .executeTakeFirst()
  return row && { id: row.id, account: { issuer, subject } }
}

/** The person with this e-mail address. */
export async function lockPersonByEmail(trx: Trx, email: string): Promise<AccountHolder | undefined> {
  const row = await trx
    .selectFrom('person')
    .select(['id', 'oidc_issuer', 'oidc_subject'])
    .where('email', '=', email.toLowerCase())
    .forUpdate()
    .executeTakeFirst()
  if (!row) return undefined
  const { id, oidc_issuer: issuer, oidc_subject: subject } = row
  return { id, account: issuer !== null && subject !== null ? { issuer, subject } : null }
}

/**
 * Sets the account that a person signs in with; null: any account with their e-mail address. Returns whether that changed.
 */
export async function setAccount(db: Db, personId: string, account: Account | null): Promise<boolean> {
  const { issuer = null, subject = null } = account ?? {}
  const { numUpdatedRows } = await db
    .updateTable('person')
    .set({ oidc_issuer: issuer, oidc_subject: subject })
    .where('id', '=', personId)
    .where(sql<boolean>`(oidc_issuer, oidc_subject) is distinct from (${issuer}, ${subject})`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

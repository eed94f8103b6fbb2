import type { Session } from '../../contract/identity/sign-in.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { endSession, findSessionView, insertSession } from '../../db/queries/identity/session.ts'
import { actorOf, type PersonPrincipal } from '../../domain/rights/principal.ts'
import { randomSecret, sha256 } from '../../signing.ts'

type OpenSession = { personId: string; hours: number; idleMinutes?: number }

/** Opens a console session. The token is the value of the cookie `hub_session`; only its hash is stored. */
export async function openSession(
  trx: Trx,
  actor: string,
  { personId, hours, idleMinutes }: OpenSession,
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomSecret()
  const expiresAt = new Date(Date.now() + hours * 3_600_000)
  const session = { tokenHash: sha256(token), personId, expiresAt, idleMinutes: idleMinutes ?? null }
  const objectId = await insertSession(trx, session)
  const audit = { unitId: null, actor, action: 'create', objectKind: 'session', objectId } as const
  await insertAudit(trx, { ...audit, details: { personId } })
  return { token, expiresAt }
}

/** Ends a session immediately, by token or id. Returns whether one was active. */
export async function closeSession(
  trx: Trx,
  actor: string,
  which: { token: string } | { id: string },
): Promise<boolean> {
  const ended = await endSession(trx, 'token' in which ? { token_hash: sha256(which.token) } : which)
  if (!ended) return false
  const audit = { unitId: null, actor, action: 'end', objectKind: 'session', objectId: ended.id } as const
  await insertAudit(trx, { ...audit, details: { personId: ended.personId } })
  return true
}

/** Signs a person out: the cookie's session ends. */
export async function signOut(db: Db, principal: PersonPrincipal, token: string): Promise<void> {
  await db.transaction().execute((trx) => closeSession(trx, actorOf(principal), { token }))
}

/** The person of a session, with units and roles; null if the session has ended. */
export async function findSession(db: Db, token: string): Promise<Session | null> {
  const view = await findSessionView(db, sha256(token))
  if (!view) return null
  const { id, name, email, expiresAt, ...others } = view
  return { person: { id, name, email }, ...others, expiresAt: expiresAt.toISOString() }
}

/** Opens a console session for a person from the command line. It has no idle timeout. */
export async function createSession(
  db: Db,
  actor: string,
  session: { personId: string; hours: number },
): Promise<{ token: string; expiresAt: Date }> {
  return db.transaction().execute((trx) => openSession(trx, actor, session))
}

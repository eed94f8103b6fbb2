import { ServiceError } from '../../contract/errors.ts'
import type { Db, Trx } from '../../db/connect.ts'
import {
  type Account,
  type Attempt,
  insertAttempt,
  lockHolder,
  lockPersonByEmail,
  setAccount,
  takeAttempt,
} from '../../db/queries/identity/session.ts'
import { insertAudit } from '../../db/queries/maintenance/audit.ts'
import { sha256 } from '../../signing.ts'
import { closeSession, openSession } from './session.ts'

/** How long somebody may take at the identity provider. */
export const attemptMinutes = 10
/** A session ends after this long, or earlier when it is idle (docs/decisions/0022-signing-in.md). */
const sessionHours = 12
const idleMinutes = 120

/** Whom the identity provider says it is. `email` only where the provider has verified it. */
export type Identity = Account & { email: string | null }

/** Remembers an attempt for the browser that begins it; `state` and `browser` are the secrets it comes back with. */
export async function rememberAttempt(
  db: Db,
  { state, browser, ...attempt }: Attempt & { state: string; browser: string },
): Promise<void> {
  const hashes = { stateHash: sha256(state), browserHash: sha256(browser) }
  await insertAttempt(db, { ...attempt, ...hashes, minutes: attemptMinutes })
}

/**
 * The attempt that comes back; it is over with this.
 * @throws ServiceError invalid_credential where it is unknown, of another browser, late or back already
 */
export async function resumeAttempt(db: Db, state: string, browser: string | undefined): Promise<Attempt> {
  const attempt = browser === undefined ? undefined : await takeAttempt(db, sha256(state), sha256(browser))
  if (attempt) return attempt
  throw new ServiceError(
    'invalid_credential',
    'This sign-in was finished already, took too long or began in another browser. Sign in once more.',
  )
}

/**
 * Signs in whoever holds this account: a new session, always, and the end of the one the browser had. A person is known
 * by the account they came with first; the first time, by their verified e-mail address.
 * @throws ServiceError forbidden for somebody unknown here
 */
export async function signIn(
  db: Db,
  identity: Identity,
  former: string | undefined,
): Promise<{ token: string; expiresAt: Date }> {
  return db.transaction().execute(async (trx) => {
    const personId = await personOf(trx, identity)
    const actor = `person:${personId}`
    if (former !== undefined) await closeSession(trx, actor, { token: former })
    return openSession(trx, actor, { personId, hours: sessionHours, idleMinutes })
  })
}

async function personOf(trx: Trx, { email, ...account }: Identity): Promise<string> {
  const holder = await lockHolder(trx, account)
  if (holder) return holder.id
  if (email === null) throw stranger('unverified')
  const person = await lockPersonByEmail(trx, email)
  if (!person) throw stranger('unknown')
  if (person.account?.issuer === account.issuer) {
    // Another tab may have been first, while we waited for the lock.
    if (person.account.subject === account.subject) return person.id
    throw stranger('other_account')
  }
  await setAccount(trx, person.id, account)
  await insertAudit(trx, {
    unitId: null,
    actor: `person:${person.id}`,
    action: 'bind_account',
    objectKind: 'person',
    objectId: person.id,
  })
  return person.id
}

/** Lets the next account with the person's e-mail address be theirs, whichever they came with before. */
export function forgetAccount(db: Db, actor: string, personId: string): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await setAccount(trx, personId, null)
    const audit = { unitId: null, actor, action: 'forget_account' }
    await insertAudit(trx, { ...audit, objectKind: 'person', objectId: personId })
  })
}

/** Why somebody is nobody here, by the `reason` in details. */
const strangers = {
  unverified:
    'The identity provider knows no verified e-mail address of yours, so we cannot tell who you are here.',
  unknown:
    'Nobody here has the e-mail address of this account. Ask a system administrator to add you to a unit.',
  other_account:
    'Somebody has signed in with this e-mail address before, by another account. If the address is yours now, ask an ' +
    'operator to run: carillon session forget <e-mail>',
}
export type UnknownPerson = keyof typeof strangers

function stranger(reason: UnknownPerson): ServiceError {
  return new ServiceError('forbidden', strangers[reason], { reason })
}

import { ServiceError } from '../../contract/errors.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import {
  type Account,
  type Attempt,
  insertAttempt,
  lockHolder,
  lockPersonByEmail,
  setAccount,
  takeAttempt,
} from '../../db/queries/identity/session.ts'
import { sha256 } from '../../signing.ts'
import { closeSession, openSession } from './session.ts'

/** How long a sign-in at the identity provider may take. */
export const attemptMinutes = 10
/** Lifetime of a session, which ends earlier when it is idle (docs/design/identity.md). */
const sessionHours = 12
const idleMinutes = 120

/** The identity the provider vouches for. `email`: null unless the provider has verified it. */
export type Identity = Account & { email: string | null }

/** Stores an attempt for the browser that starts it, which returns with the secrets `state` and `browser`. */
export async function rememberAttempt(
  db: Db,
  { state, browser, ...attempt }: Attempt & { state: string; browser: string },
): Promise<void> {
  const hashes = { stateHash: sha256(state), browserHash: sha256(browser) }
  await insertAttempt(db, { ...attempt, ...hashes, minutes: attemptMinutes })
}

/**
 * Takes the attempt with which a browser returns; it can be taken only once.
 * @throws ServiceError invalid_credential if it is unknown, expired, of another browser or already taken
 */
export async function resumeAttempt(db: Db, state: string, browser: string | undefined): Promise<Attempt> {
  const attempt = browser === undefined ? undefined : await takeAttempt(db, sha256(state), sha256(browser))
  if (attempt) return attempt
  throw new ServiceError(
    'invalid_credential',
    'This sign-in has expired, was already completed, or began in another browser. Sign in again.',
  )
}

/**
 * Signs in the person with this account: always opens a new session, and ends the browser's former one. The first
 * sign-in finds the person by verified e-mail address and links the account; later ones find them by the account.
 * @throws ServiceError forbidden, with details {reason}, if no person matches
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
  if (email === null) throw unknownPerson('unverified')
  const person = await lockPersonByEmail(trx, email)
  if (!person) throw unknownPerson('unknown')
  if (person.account?.issuer === account.issuer) {
    // Another tab may have linked the account while this one waited for the lock.
    if (person.account.subject === account.subject) return person.id
    throw unknownPerson('other_account')
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

/** Unlinks a person's account: the next one with their verified e-mail address is linked instead. */
export function forgetAccount(db: Db, actor: string, personId: string): Promise<void> {
  return db.transaction().execute(async (trx) => {
    if (!(await setAccount(trx, personId, null))) return
    const audit = { unitId: null, actor, action: 'forget_account' }
    await insertAudit(trx, { ...audit, objectKind: 'person', objectId: personId })
  })
}

/** Why no person matches an account, by the `reason` in details. */
const unknownPersonMessages = {
  unverified:
    'The identity provider has no verified e-mail address for you. Verify your address there, then sign in again.',
  unknown:
    'No person has the e-mail address of this account. Ask a system administrator to add you to a unit.',
  other_account:
    'Another account has signed in with this e-mail address before. If the address is yours now, ask an ' +
    'operator to run: carillon session forget <e-mail>',
}
export type UnknownPerson = keyof typeof unknownPersonMessages

function unknownPerson(reason: UnknownPerson): ServiceError {
  return new ServiceError('forbidden', unknownPersonMessages[reason], { reason })
}

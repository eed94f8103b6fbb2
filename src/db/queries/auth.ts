import { sql } from 'kysely'
import type { Db, Trx } from '../connect.ts'

/** An attempt to sign in, while the browser is at the identity provider. */
export type Attempt = { nonce: string; verifier: string; returnTo: string }
export type NewAttempt = Attempt & { stateHash: Buffer; browserHash: Buffer; minutes: number }

/** Writes an attempt down, and clears away those that nobody came back for. */
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

/** The attempt with this state, if it began in this browser and is not over. It is taken away: nobody gets it twice. */
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

/** An account at the identity provider, by its own words. */
export type Account = { issuer: string; subject: string }

/** A person with the account they sign in with, locked for the rest of the transaction. */
export type AccountHolder = { id: string; account: Account | null }

/** Who signs in with this account. */
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

/** Who has this e-mail address. */
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

/** From now on the person signs in with this account; null: with any that has their e-mail address. */
export async function setAccount(db: Db, personId: string, account: Account | null): Promise<void> {
  await db
    .updateTable('person')
    .set({ oidc_issuer: account?.issuer ?? null, oidc_subject: account?.subject ?? null })
    .where('id', '=', personId)
    .execute()
}

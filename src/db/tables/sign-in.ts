import type { Instant } from './columns.ts'

export type SignInTables = {
  sign_in: SignInTable
}

/** Sign-in attempts. Defined in SQL: src/db/migrations. */
export type SignInTable = {
  state_hash: Buffer
  browser_hash: Buffer
  nonce: string
  verifier: string
  return_to: string
  expires_at: Instant
}

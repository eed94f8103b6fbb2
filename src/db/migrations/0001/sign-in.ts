/** Sign-ins to the console: an attempt while the browser is at the identity provider. */
export const signIn = `
-- Redeemed once, and only by the browser that started it; state and browser are stored as hashes.
create table sign_in (
  state_hash bytea primary key,
  browser_hash bytea not null,
  nonce text not null,
  verifier text not null,
  return_to text not null,
  expires_at timestamptz not null
);
create index sign_in_expires on sign_in (expires_at);
`

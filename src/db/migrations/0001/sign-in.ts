/** Signing in to the console: what is remembered of an attempt while the browser is at the identity provider. */
export const signIn = `
-- Taken once, and only by the browser in which it began; state and browser are stored hashed.
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

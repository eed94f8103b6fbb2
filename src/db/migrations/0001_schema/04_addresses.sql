-- Addresses of subjects, and the addresses to which nothing is sent any more.

-- An address of a subject on a channel.
-- hash: as in suppression; null: the key of the hashes was not available when the address was bound, and the address
-- has not been suppressed since. blocked_at: the person blocked the account.
create table address (
  subject_id uuid not null references subject on delete cascade,
  channel text not null check (channel in ('chat', 'email')),
  address text not null,
  hash bytea,
  blocked_at timestamptz,
  bound_at timestamptz not null default now(),
  primary key (subject_id, channel),
  unique (channel, address)
);
-- Mail addresses are unique without regard to case.
create unique index address_email on address (lower(address collate "C")) where channel = 'email';
create index address_blocked on address (blocked_at) where blocked_at is not null;

-- The hash of an address that a subject had, so that an erasure finds what was written at an address that was unbound
-- since. Nothing is kept of an address without a hash.
create table former_address (
  subject_id uuid not null references subject on delete cascade,
  channel text not null,
  hash bytea not null,
  primary key (subject_id, channel, hash)
);

-- The key of all hashes of addresses; one row. sealed: encrypted with a key that is derived from SECRETS_KEY.
create table address_hash_key (
  id boolean primary key default true check (id),
  key bytea not null,
  sealed boolean not null
);
-- 32 random bytes: of the bits of the two UUIDs, 244 are from Postgres' strong random source.
insert into address_hash_key (key, sealed)
values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), false);

-- An address to which nothing is sent any more, regardless of its subject. hash: keyed hash of the address' identity.
-- server: the mail server that said so; null: a complaint.
create table suppression (
  channel text not null check (channel in ('chat', 'email')),
  hash bytea not null,
  why text not null check (why in ('bounce', 'complaint', 'refused')),
  server text,
  since timestamptz not null default clock_timestamp(),
  primary key (channel, hash)
);
create index suppression_since on suppression (since);

-- What a mail server said of its latest recipients. A server that seems to know no recipient at all is not believed
-- (docs/design/provider-outcomes.md).
-- host: its host name. why: by its answers during sends, or by bounces that were reported.
-- recent: the newest recipients, the newest last: when one was said to be unknown; null: taken.
-- doubted_since: since when it is not believed, with the next probe at probe_at. probed_at: of bounces, since when a
-- probe that was taken has not bounced. believed: a person said that its bounces are right.
create table mail_server (
  host text not null,
  why text not null check (why in ('bounce', 'refused')),
  recent timestamptz[] not null default '{}',
  believed boolean not null default false,
  doubted_since timestamptz,
  probe_at timestamptz,
  probed_at timestamptz,
  primary key (host, why)
);

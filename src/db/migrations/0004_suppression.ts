import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Channel } from '../../contract/enums.ts'
import { addressIdentity } from '../../domain/address-identity.ts'
import { keyedHash } from '../../signing.ts'

/**
 * Suppressed addresses in a table of their own, and e-mail addresses unique without regard to case
 * (docs/decisions/0037-suppression.md).
 * @throws Error if two subjects have the same e-mail address in two spellings; nothing is changed
 */
export async function up(db: Kysely<never>): Promise<void> {
  await assertNoConflicts(db)
  await sql.raw(schema).execute(db)
  const key = randomBytes(32)
  await sql`insert into address_hash_key (key, sealed) values (${key}, false)`.execute(db)
  await fillHashes(db, key)
  await sql.raw(suppressed).execute(db)
}

const schema = `
create unique index address_email on address (lower(address collate "C")) where channel = 'email';
create index webhook_event_email on webhook_event (lower(address collate "C")) where channel = 'email';

-- The key of the hashes below; one row. sealed: encrypted with a key that is derived from SECRETS_KEY.
create table address_hash_key (
  id boolean primary key default true check (id),
  key bytea not null,
  sealed boolean not null
);

-- Addresses that are not sent to any more, whoever they are bound to. hash: keyed hash of the address' identity.
create table suppression (
  channel text not null check (channel in ('chat', 'email')),
  hash bytea not null,
  since timestamptz not null default clock_timestamp(),
  why text not null check (why in ('bounce', 'complaint', 'refused')),
  primary key (channel, hash)
);

-- hash: as in suppression. null: bound before hashes were stored, and never suppressed since.
alter table address add column hash bytea;
`

/** Refusals by mail servers left no audit row. */
const suppressed = `
insert into suppression (channel, hash, since, why)
select channel, hash, suppressed_at, coalesce((
    select reason from audit
    where object_kind = 'subject' and object_id = subject_id::text and action = 'suppress'
      and reason in ('bounce', 'complaint') and at >= bound_at
    order by audit.id desc limit 1
  ), 'refused')
from address where suppressed_at is not null
on conflict do nothing;

alter table address drop column suppressed_at;
`

const rowsAtOnce = 10_000

/** Of suppressed addresses, and of those that have a spelling which the index does not compare. */
async function fillHashes(db: Kysely<never>, key: Buffer): Promise<void> {
  type Row = { id: string; channel: Channel; address: string }
  for (;;) {
    const { rows } = await sql<Row>`
      select subject_id as id, channel, address from address
      where hash is null and (suppressed_at is not null or channel = 'email' and address like '"%')
      limit ${sql.lit(rowsAtOnce)}
    `.execute(db)
    if (rows.length === 0) return
    const hashes = rows.map(({ channel, address }) =>
      keyedHash(key, `${channel} ${addressIdentity(channel, address)}`),
    )
    await sql`
      update address set hash = given.hash
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ channel }) => channel)}::text[],
        ${hashes}::bytea[]) as given (id, channel, hash)
      where subject_id = given.id and address.channel = given.channel
    `.execute(db)
  }
}

const conflictsNamed = 20

/** Names conflicts by subject id: the message goes to logs. */
async function assertNoConflicts(db: Kysely<never>): Promise<void> {
  const { rows } = await sql<{ ids: string[]; total: number }>`
    select array_agg(subject_id::text order by bound_at, subject_id) as ids, (count(*) over ())::integer as total
    from address where channel = 'email'
    group by lower(address collate "C") having count(*) > 1
    order by 1 limit ${sql.lit(conflictsNamed)}
  `.execute(db)
  if (rows.length === 0) return
  const { total } = rows[0]!
  const more = total > rows.length ? [`  and ${total - rows.length} more`] : []
  throw new Error(
    [
      `${total} e-mail address(es) are bound to several subjects in spellings that differ only in case. Each address ` +
        'must belong to one subject. Subjects that share one:',
      ...rows.map(({ ids }) => `  ${ids.join(', ')}`),
      ...more,
      'List them with: carillon address conflicts. Unbind all but one of each with: carillon address unbind <uid>. Then ' +
        'migrate again.',
    ].join('\n'),
  )
}

import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * The hashes of addresses that somebody had, and of those at which strangers write, so that an erasure finds what was written
 * at an address that was unbound since (docs/decisions/0018-identity.md). Null: from before, or the key of the hashes is
 * not at hand.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
create table former_address (
  subject_id uuid not null references subject on delete cascade,
  channel text not null,
  hash bytea not null,
  primary key (subject_id, channel, hash)
);
alter table webhook_event add column address_hash bytea;
create index webhook_event_of_stranger on webhook_event (address_hash) where subject_id is null;
alter table handoff add column channel_user_hash bytea;
create index handoff_of_stranger on handoff (channel_user_hash) where subject_id is null;
`)
    .execute(db)
}

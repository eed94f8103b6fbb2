import { type Kysely, sql } from 'kysely'

/**
 * Each batch records how often, since when and why it is deferred, which distinguishes a batch that keeps failing from
 * a provider that is down; a channel's rest is probed.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table batch
      add column tries integer not null default 0,
      add column failing_since timestamptz,
      add column code text`.execute(db)
  await sql`drop index batch_open`.execute(db)
  await sql`create index batch_open on batch (wave_id, channel, tries, number) where state = 'open'`.execute(
    db,
  )
  await sql`create index batch_failing on batch (failing_since) where state = 'open' and failing_since is not null`.execute(
    db,
  )
  await sql`alter table channel_rest add column probe_at timestamptz`.execute(db)
}

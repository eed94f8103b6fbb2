import { type Kysely, sql } from 'kysely'

/**
 * What an approval binds (docs/decisions/0034-bound-audiences.md). Groups of before have no changes and no keeper;
 * messages of before have no sample, and are judged by their counts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(
      `
-- kept_by: the producer key that keeps the group up to date; its changes alone return no message to review
alter table subject_group add kept_by text references producer_key;

-- Changes of a group's members or query by people and keys; what recipients do by a button is none. Ids of one group
-- are in the order of commits, because writers take turns (lockDefinition). approver: of the group's unit, at the time.
create table group_change (
  id bigint generated always as identity primary key,
  group_id uuid not null references subject_group,
  what text not null check (what in ('members', 'query')),
  actor text not null,
  approver boolean not null,
  at timestamptz not null default clock_timestamp()
);
create index group_change_group on group_change (group_id, id);

-- The groups that a submitted message's audience names, also inside the queries of dynamic ones, as they were at the
-- snapshot. last_change: the newest group_change then; 0: none.
create table audience_group (
  message_id uuid not null references message,
  group_id uuid not null references subject_group,
  kept_by text,
  last_change bigint not null,
  primary key (message_id, group_id)
);
create index audience_group_group on audience_group (group_id);

-- The recipients of a submitted message at the snapshot, by channel, as marks: hashes of subject, moment at which the
-- address was bound, and a random seed. smallest: up to 1,024 marks in ascending order; mark_sum: of all of them.
create table audience_sample (
  message_id uuid not null references message,
  channel text not null check (channel in ('chat', 'email')),
  seed bigint not null,
  people integer not null,
  mark_sum numeric not null,
  smallest bigint[] not null,
  primary key (message_id, channel)
);

-- moved_at: when stage or tags changed last; null: not since this migration
alter table subject add moved_at timestamptz;
alter table subject alter moved_at set default now();

-- drift: what changed when the message last returned to review
alter table message add drift jsonb;
`,
    )
    .execute(db)
}

import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * What lets the processes run as a role that owns no table (docs/decisions/0045-roles.md), and indexes that find what
 * names a person.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(partitions).execute(db)
  await sql.raw(indexes).execute(db)
}

const partitions = `
-- Run with the rights of their owner, because only the owner of a table may attach and drop its partitions. Both take a
-- month and nothing else, so that a caller can name no other table.

-- The bounds are the first ids (UUIDv7) of this month and of the next, in UTC. Half of each page stays free: a row is
-- updated once, with its outcome, and as a HOT update that adds no index entries.
create function make_delivery_partition(month date) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  first date := date_trunc('month', month::timestamp);
  name text := 'delivery_' || to_char(first, 'YYYY_MM');
begin
  lock table only delivery in share update exclusive mode;
  if to_regclass(name) is null then
    execute format('create table %I (like delivery including all) with (fillfactor = 50)', name);
    execute format('alter table delivery attach partition %I for values from (%L) to (%L)', name,
      first_uuid_of(first), first_uuid_of((first + interval '1 month')::date));
  end if;
end $$;

create function first_uuid_of(day date) returns uuid
language sql immutable set search_path = public, pg_temp as $$
  select rpad(lpad(to_hex((extract(epoch from day) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;

create function drop_delivery_partition(month date) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  execute format('drop table %I', 'delivery_' || to_char(month, 'YYYY_MM'));
end $$;

revoke execute on function make_delivery_partition(date), drop_delivery_partition(date) from public;
`

/** An erasure or export finds what names a person among all that is kept. */
const indexes = `
set local statement_timeout = 0;
create index event_subjects on event using gin (subject_uids);
create index person_subject on person (subject_uid) where subject_uid is not null;
`

import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Postgres keeps no statistics of which waves and batches have deliveries. With them it expected one row of a wave that
 * was not sampled, for which every index that begins with the wave is as good: each batch read the wave whole
 * (docs/design/speed.md, "Plans and keys"). A partition does not take this over from its parent.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
alter table delivery alter column wave_id set statistics 0, alter column batch set statistics 0;

select pg_clear_attribute_stats('public', relname, attname, inherited)
from pg_partition_tree('delivery') join pg_class on pg_class.oid = relid,
  unnest(array['wave_id', 'batch']) as attname, unnest(array[true, false]) as inherited;

create or replace function make_delivery_partition(month date) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  first date := date_trunc('month', month::timestamp);
  name text := 'delivery_' || to_char(first, 'YYYY_MM');
begin
  lock table only delivery in share update exclusive mode;
  if to_regclass(name) is null then
    execute format('create table %I (like delivery including all) with (fillfactor = 50)', name);
    execute format('alter table %I alter column wave_id set statistics 0, alter column batch set statistics 0', name);
    execute format('alter table delivery attach partition %I for values from (%L) to (%L)', name,
      first_uuid_of(first), first_uuid_of((first + interval '1 month')::date));
  end if;
end $$;
`)
    .execute(db)
}

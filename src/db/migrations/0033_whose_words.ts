import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * A copy has the authors of its original, and a version of a binding says whether it has ever been in force
 * (docs/decisions/0002-who-may.md). Copies of before get their authors from the audit log, which also tells which
 * replaced versions were in force without a decision.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(authors).execute(db)
  await sql.raw(bindings).execute(db)
}

const authors = `
-- copied: their words came with a copy. They may not approve it, and have no other part in it.
alter table message_author add column copied boolean not null default false;

with recursive copy_of as (
  select object_id::uuid as message_id, (details ->> 'copyOf')::uuid as source from audit
  where object_kind = 'message' and action = 'create' and details ? 'copyOf'
), origin as (
  select message_id, source from copy_of
  union
  select origin.message_id, copy_of.source from origin join copy_of on copy_of.message_id = origin.source
)
insert into message_author (message_id, actor, copied)
select distinct origin.message_id, author.actor, true
from origin join message on message.id = origin.message_id join message_author as author on author.message_id = origin.source
where not exists (select from audit where object_kind = 'message' and object_id = origin.source::text
  and action = 'approve' and audit.actor like 'person:%')
on conflict do nothing;
`

const bindings = `
-- took_effect_at: when it came into force; null: it has never been.
alter table event_binding_version add column took_effect_at timestamptz;

update event_binding_version as version set took_effect_at = coalesce(decided_at, created_at)
where state = 'in_force' or (state = 'replaced' and (decided_by is not null or exists (
  select from audit where object_kind = 'event_binding' and object_id = version.binding_id::text
    and details ->> 'version' = version.version::text and details ->> 'state' = 'in_force')));
`

import { type Kysely, sql } from 'kysely'

/**
 * Versions of event bindings, and notices about them (docs/decisions/0035-binding-versions.md). Bindings of before
 * are in force in their first version, and have no author: every approver may decide about the next one.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw(versions).execute(db)
  await sql.raw(notices).execute(db)
}

const versions = `
-- audience: {"kind": "event_subjects"} or a query; key_ids: signing keys that may trigger it; null: all.
-- authors: every actor who wrote what stands in it, unless a person has approved that; none of them may approve it.
-- replaced: a newer version has taken its place, in force or for decision.
create table event_binding_version (
  binding_id uuid not null references event_binding on delete cascade,
  version integer not null,
  state text not null check (state in ('submitted', 'in_force', 'replaced', 'rejected')),
  source text not null,
  type text not null,
  category_id text not null references category,
  template_id uuid references template,
  audience jsonb not null,
  key_ids text[],
  enabled boolean not null,
  created_by text not null,
  authors text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  decided_by text,
  decided_at timestamptz,
  reason text,
  primary key (binding_id, version)
);

insert into event_binding_version (binding_id, version, state, source, type, category_id, template_id, audience,
  key_ids, enabled, created_by, authors, created_at)
select id, 1, 'in_force', source, type, category_id, template_id, audience, key_ids, enabled,
  coalesce((select actor from audit where object_kind = 'event_binding' and object_id = event_binding.id::text
    and action in ('create', 'edit') order by audit.id desc limit 1), 'system:run'),
  '{}', updated_at
from event_binding;

drop index event_binding_in_force;
alter table event_binding drop column source, drop column type, drop column category_id, drop column template_id,
  drop column audience, drop column key_ids, drop column enabled, drop column updated_at;

create unique index event_binding_in_force on event_binding_version (source, type) where state = 'in_force' and enabled;
create unique index event_binding_version_in_force on event_binding_version (binding_id) where state = 'in_force';
create unique index event_binding_version_submitted on event_binding_version (binding_id) where state = 'submitted';
`

const notices = `
-- A notice is about a message or a version of a binding; version: of the one it is about.
alter table notice alter column message_id drop not null;
alter table notice add column binding_id uuid references event_binding on delete cascade;
alter table notice add check (num_nonnulls(message_id, binding_id) = 1);
alter table notice add unique (binding_id, version, person_id);
`

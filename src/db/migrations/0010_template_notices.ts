import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Notices about versions of templates, and second notices about what is due soon
 * (docs/decisions/0053-approving-in-a-browser.md). Notices of before are first ones. Templates that wait already cause
 * no mail: they are in the list.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(notices).execute(db)
}

const notices = `
-- A notice is about a message, or a version of a binding or template; version: of the one it is about.
-- second: sent once half of the time has passed in which a decision still makes a difference.
alter table notice add column template_id uuid references template on delete cascade,
  add column second boolean not null default false;
alter table notice drop constraint notice_check,
  add constraint notice_about check (num_nonnulls(message_id, binding_id, template_id) = 1),
  add unique (template_id, version, person_id);
alter table notice drop constraint notice_message_id_version_person_id_key,
  add unique (message_id, version, person_id, second);
`

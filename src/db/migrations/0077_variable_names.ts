import { type QueryExecutorProvider, sql } from 'kysely'

/** The names of the variables of all versions of a template, kept with it: create asks for them (docs/design/templates.md). */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
set local statement_timeout = 0;
alter table template add column variable_names text[] not null default '{}';
update template set variable_names = array(
  select distinct variable ->> 'name' from template_version, jsonb_array_elements(variables) as variable
  where template_id = template.id);
`)
    .execute(db)
}

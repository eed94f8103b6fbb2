import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Who wrote what is written in a browser, so that none of them approves it when another person submits it
 * (docs/design/approvals.md). Of what is written already, whoever began it and whoever saved it last are known.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
-- copied: their words came in with what it was begun from; they have not written in it.
create table composition_author (
  composition_id uuid not null references composition on delete cascade,
  actor text not null,
  copied boolean not null default false,
  primary key (composition_id, actor)
);
insert into composition_author (composition_id, actor)
  select id, created_by from composition union select id, updated_by from composition;
-- authors: who wrote it beside created_by.
alter table template_version add column authors text[] not null default '{}';
`)
    .execute(db)
}

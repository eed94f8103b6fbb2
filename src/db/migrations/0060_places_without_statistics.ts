import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * The same as in 0059 for who takes part in patterns, and what they answered. While such a table is empty, one index of a
 * pattern costs as much as another, and a plan of then may be kept: those of places and options have a condition, by which
 * a look-up of one person cannot be served.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql
    .raw(`
set local statement_timeout = 0;
alter table registration alter column pattern_id set statistics 0;
alter table pattern_answer alter column pattern_id set statistics 0;

select pg_clear_attribute_stats('public', relname, 'pattern_id', false)
from unnest(array['registration', 'pattern_answer']) as relname;

create index registration_placed on registration (pattern_id, state, place) where state in ('registered', 'waiting');
drop index registration_of_state;
create index pattern_answer_of_option on pattern_answer (pattern_id, question, option_id) where option_id is not null;
drop index pattern_answer_of_question;
`)
    .execute(db)
}

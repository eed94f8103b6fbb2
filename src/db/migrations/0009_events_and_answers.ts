import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * What a unit may read of its events and answers (docs/decisions/0047-events-and-answers.md). Recorded events get an id
 * in the order in which they came; of several answers to a question the last one stays.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(recordedEvents).execute(db)
  await sql.raw(answers).execute(db)
  await sql.raw(callbacks).execute(db)
}

const recordedEvents = `
-- unit_id: of the message. details: of the error: {variables} or {violations}.
alter table event add column id uuid, add column unit_id uuid, add column details jsonb;
update event set id = uuidv7(received_at - clock_timestamp()),
  unit_id = (select unit_id from message where message.id = event.message_id);
alter table event alter column id set not null, alter column id set default uuidv7(),
  add constraint event_id unique (id),
  add constraint event_unit check ((unit_id is null) = (message_id is null)),
  add constraint event_details check (details is null or error is not null);

create index event_of_unit on event (unit_id, source, type, id) where unit_id is not null;
create index event_without_message on event (source, type, id) where message_id is null;
drop index event_failed;
`

const answers = `
-- question: what the option answers (src/domain/option.ts). option_id: the producer's id of the option; otherwise its
-- place, counted from 1. data: the producer's data of a postback. The last answer to a question is kept.
alter table message_answer add column question text, add column data jsonb;

with answer as (
  select a.ctid as row, a.*, block ->> 'kind' as block_kind, action ->> 'kind' as action_kind, action -> 'data' as given
  from message_answer as a
    left join message_content as content on content.message_id = a.message_id
    cross join lateral (select content.frozen -> a.n::integer as block) as of_message
    cross join lateral (select case when block ->> 'kind' = 'carousel'
      then block #> array['cards', split_part(a.o, '.', 1), 'actions', split_part(a.o, '.', 2)]
      else block #> array['actions', a.o] end as action) as of_block
)
update message_answer as a set
  question = case
    when action_kind in ('mute', 'addToGroup') then answer.n || '.' || answer.o
    when answer.o like '%.%' then answer.n || '.' || split_part(answer.o, '.', 1)
    else answer.n::text end,
  option_id = coalesce(nullif(answer.option_id, ''), (
    select string_agg(case when index ~ '^\\d{1,4}$' then (index::integer + 1)::text else index end, '.' order by place)
    from unnest(string_to_array(answer.n || '.' || answer.o, '.')) with ordinality as each (index, place))),
  data = case action_kind when 'postback' then given end
from answer where a.ctid = answer.row;

delete from message_answer as a using message_answer as later
where later.message_id = a.message_id and later.subject_id = a.subject_id and later.question = a.question
  and (later.at, later.o) > (a.at, a.o);

alter table message_answer alter column question set not null, alter column option_id set not null,
  drop constraint message_answer_pkey, add primary key (message_id, subject_id, question);
`

const callbacks = `
-- url_by: who wrote the address; if that is a key with individual targeting, callbacks may name people.
alter table callback add column url_by text;
update callback set url_by = created_by;
alter table callback alter column url_by set not null;

-- subject_id: who answered. data: of an answer, or the counts of answers, fixed at the first try.
-- sequence: deliveries of one message with the same sequence arrive in order.
alter table callback_delivery add column subject_id uuid references subject on delete cascade,
  add column data jsonb,
  add column sequence text not null generated always as (
    case type when 'message.answered' then subject_id::text when 'message.answers' then 'answers' else 'changes' end
  ) stored;
create index callback_delivery_subject on callback_delivery (subject_id) where subject_id is not null;
create unique index callback_delivery_answers on callback_delivery (callback_id, message_id)
  where type = 'message.answers' and outcome = 'waiting' and tries = 0;
drop index callback_delivery_order;
create index callback_delivery_order on callback_delivery (callback_id, message_id, sequence, id)
  where outcome = 'waiting';
`

import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * What a unit may read of its events (docs/decisions/0047-events-and-answers.md). Recorded events get an id in the order
 * in which they came.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(recordedEvents).execute(db)
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

import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * A producer's own reference of a message, and people beside deliveries in the counts of a send
 * (docs/decisions/0056-what-producers-read.md). What is there has neither: nobody gave a reference, and the people of a
 * send on several channels at once were not counted.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(ownReferences).execute(db)
}

const ownReferences = `
alter table message add column reference text;
create index message_reference on message (unit_id, reference, id) where reference is not null;

-- people: {told, unknown, failed, skipped}, of a plan that sends on several channels at once; counted at its end.
alter table wave add column people jsonb;
`

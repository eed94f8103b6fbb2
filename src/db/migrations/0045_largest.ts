import { type Kysely, sql } from 'kysely'

/**
 * Indexes for what grew with a backlog: messages that wait for an approver in the order in which they are listed, and
 * retired scenarios, whose open runs are looked for.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index message_waiting on message (unit_id, changed_at, id)
    where state = 'submitted'`.execute(db)
  await sql`create index scenario_retired on scenario (id) where state = 'retired'`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/**
 * Indexes for what grew with a backlog: messages that wait for an approver in the order in which they are listed, the
 * deliveries of a callback that are on their way, and retired scenarios, whose open runs are looked for.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index message_waiting on message (unit_id, changed_at, id)
    where state = 'submitted'`.execute(db)
  await sql`
    create index callback_delivery_leased on callback_delivery (callback_id, lease_until)
    where outcome = 'waiting' and lease_until is not null`.execute(db)
  await sql`create index scenario_retired on scenario (id) where state = 'retired'`.execute(db)
}

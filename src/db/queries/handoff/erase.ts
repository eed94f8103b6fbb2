import { sql } from 'kysely'
import type { Db, Trx } from '../../connect.ts'
import type { RecordRow } from '../../rows.ts'
import type { Purge } from '../retention/retention.ts'
import { isAtFormer } from '../subject/former-address.ts'

/** What remains of handoffs: that they were opened and closed, when, why and by whom. */

/** A reply that is still to be said keeps its words. */
function isOld(before: Date) {
  return sql<boolean>`closed_at < ${before} and purged_at is null
    and not exists (select from turn where turn.handoff_id = handoff.id and turn.state = 'pending')`
}

/**
 * Handoffs that are closed: what was said, the person, and how the assistant named both go. What their replies cost stays.
 */
export const closedHandoffs: Purge = {
  async count(db, before) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from handoff where ${isOld(before)}`.execute(db)
    return rows[0]!.n
  },
  async slice(db, before, limit) {
    const { rows } = await sql<{ n: number }>`
      with old as (
        select id from handoff where ${isOld(before)}
        order by closed_at limit ${limit} for no key update skip locked
      ),
      unsaid as (
        delete from handoff_message using old where handoff_id = old.id
      ),
      silenced as (
        update turn set subject_id = null, address = null, content = null, says = null, request_id = null
        from old where handoff_id = old.id
      ),
      purged as (
        update handoff set purged_at = clock_timestamp(), subject_id = null, conversation_id = null, channel_user = null,
          channel_user_hash = null
        from old where handoff.id = old.id
        returning handoff.id
      )
      select count(*) as n from purged`.execute(db)
    return rows[0]!.n
  },
}

/** Handoffs of a person, also those of their chat address from before it was bound, and of addresses that they had. */
function ofPerson(subjectId: string) {
  const at = { hash: sql.ref('handoff.channel_user_hash'), address: sql.ref('handoff.channel_user') }
  return sql`(handoff.subject_id = ${subjectId} or (handoff.subject_id is null and (handoff.channel_user in (
    select address from address where subject_id = ${subjectId} and channel = 'chat') or (${isAtFormer(subjectId, at)}))))`
}

/** Locks the handoffs of a person, for an erasure: a reply locks its handoff before it refers to the person. */
export async function lockHandoffs(trx: Trx, subjectId: string): Promise<void> {
  await sql`select from handoff where ${ofPerson(subjectId)} order by id for no key update`.execute(trx)
}

/**
 * Closes the open handoffs of a person, and empties all of them. Their replies are emptied with the person's other turns.
 * Call it while the addresses of the person are there.
 */
export async function eraseHandoffs(trx: Trx, subjectId: string): Promise<void> {
  await sql`
    delete from handoff_message using handoff where handoff_id = handoff.id and ${ofPerson(subjectId)}`.execute(
    trx,
  )
  await sql`
    update handoff set subject_id = null, conversation_id = null, channel_user = null, channel_user_hash = null,
      closed_at = coalesce(closed_at, clock_timestamp()), closed_by = coalesce(closed_by, 'system:run'),
      end_reason = coalesce(end_reason, 'erased')
    where ${ofPerson(subjectId)}`.execute(trx)
}

/** What was said in the handoffs of a person, and those of their chat address from before it was bound. */
export async function findHandoffRecords(db: Db, subjectId: string): Promise<Record<string, RecordRow[]>> {
  const held = await sql<{ row: RecordRow }>`
    select to_jsonb(handoff)::text as row from handoff where ${ofPerson(subjectId)}`.execute(db)
  const messages = await sql<{ row: RecordRow }>`
    select (to_jsonb(message) - 'body_hash' - 'words')::text as row
    from handoff join handoff_message as message on message.handoff_id = handoff.id
    where ${ofPerson(subjectId)}`.execute(db)
  return { handoff: held.rows.map(({ row }) => row), handoff_message: messages.rows.map(({ row }) => row) }
}

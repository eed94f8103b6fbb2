import { sql } from 'kysely'
import type { Trx } from '../../connect.ts'

/** What a change of chat addresses means for handoffs. */

/**
 * Closes the open handoffs that the assistant opened with one of these people at a chat address that is no longer theirs.
 * Those of runs go on: they follow the person to another address. Returns what it closed.
 */
export async function closeUnbound(
  trx: Trx,
  subjectIds: readonly string[],
): Promise<{ id: string; unitId: string }[]> {
  const { rows } = await sql<{ id: string; unitId: string }>`
    update handoff set closed_at = clock_timestamp(), closed_by = 'system:run', end_reason = 'unbound'
    where closed_at is null and run_id is null and subject_id = any(${subjectIds}::uuid[]) and not exists (
      select from address where address.channel = 'chat' and address.address = handoff.channel_user
        and address.subject_id = handoff.subject_id)
    returning id, unit_id as "unitId"`.execute(trx)
  return rows
}

/**
 * Gives the handoffs at the chat addresses of these people to them, if nobody was bound there before: open and closed
 * ones, so that their export and erasure find them whatever becomes of the address.
 */
export async function adoptHandoffs(trx: Trx, subjectIds: readonly string[]): Promise<void> {
  await sql`
    update handoff set subject_id = address.subject_id from address
    where handoff.subject_id is null and address.channel = 'chat' and address.address = handoff.channel_user
      and address.subject_id = any(${subjectIds}::uuid[])`.execute(trx)
}

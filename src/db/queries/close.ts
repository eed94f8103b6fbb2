import { sql } from 'kysely'
import type { Trx } from '../connect.ts'

/** How many batches of a wave are not finished. */
export async function countOpenBatches(trx: Trx, waveId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from batch where wave_id = ${waveId} and state = 'open'
  `.execute(trx)
  return rows[0]!.open
}

/** Nothing can happen to a message any more: its run ends, and nobody looks at it again. Under its lock. */
export async function closeMessage(trx: Trx, messageId: string): Promise<void> {
  await trx
    .updateTable('message')
    .set({ closed_at: sql<Date>`clock_timestamp()`, next_look_at: null, problem: null })
    .where('id', '=', messageId)
    .execute()
}

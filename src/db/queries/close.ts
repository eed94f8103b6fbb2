import { sql } from 'kysely'
import type { Trx } from '../connect.ts'
import { insertNews } from './callback-news.ts'

/** How many batches of a wave are not finished. */
export async function countOpenBatches(trx: Trx, waveId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from batch where wave_id = ${waveId} and state = 'open'
  `.execute(trx)
  return rows[0]!.open
}

/**
 * Nothing can happen to a message any more: its run ends, nobody looks at it again, and callbacks are told its counts.
 * Under its lock.
 */
export async function closeMessage(trx: Trx, messageId: string): Promise<void> {
  const { unit_id, state, version } = await trx
    .updateTable('message')
    .set({ closed_at: sql<Date>`clock_timestamp()`, next_look_at: null, problem: null })
    .where('id', '=', messageId)
    .returning(['unit_id', 'state', 'version'])
    .executeTakeFirstOrThrow()
  await insertNews(trx, { types: ['message.closed'], unitId: unit_id, messageId, state, from: null, version })
}

import { sql } from 'kysely'
import { withoutWaiting } from '../commit.ts'
import type { Trx } from '../connect.ts'
import type { WaveState } from '../tables.ts'

/** How many batches of a wave are not finished. */
export async function countOpenBatches(trx: Trx, waveId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from batch where wave_id = ${waveId} and state = 'open'
  `.execute(trx)
  return rows[0]!.open
}

/** Locks the reminder of a message, where one is still to come. Answers its wave's id. */
export async function lockReminder(trx: Trx, messageId: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('wave')
    .select('id')
    .where('message_id', '=', messageId)
    .where('number', '=', 1)
    .where('state', 'in', ['waiting', 'sending', 'paused'])
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.id
}

/** Ends waves. Those that were ended before keep their state; nothing is parked any more. Under their locks. */
export async function endWaves(trx: Trx, waveIds: string[], state: WaveState): Promise<void> {
  if (waveIds.length === 0) return
  await sql`
    update wave
    set state = case when state in ('waiting', 'sending', 'paused') then ${state} else state end,
      finished_at = clock_timestamp(), parked = null, probe_at = null
    where id = any(${waveIds}::uuid[]) and ${withoutWaiting}
  `.execute(trx)
}

/** Nothing can happen to a message any more: its run ends, and nobody looks at it again. Under its lock. */
export async function closeMessage(trx: Trx, messageId: string): Promise<void> {
  await trx
    .updateTable('message')
    .set({ closed_at: sql<Date>`clock_timestamp()`, next_look_at: null, problem: null })
    .where('id', '=', messageId)
    .execute()
}

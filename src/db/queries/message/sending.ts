import { sql } from 'kysely'
import type { Db } from '../../connect.ts'
import type { SkippedCounts } from '../../tables/delivery.ts'

/** A wave that is being sent, with its counters. `expected`: null until its deliveries are written. */
type SendingWave = {
  messageId: string
  waveId: string
  unit: string
  categoryId: string
  reminder: boolean
  expected: number | null
  sent: number
  failed: number
  unknown: number
  skipped: SkippedCounts
  startedAt: Date | null
}

/**
 * The waves of all units that are being sent, those with most left to send first, and how many there are. Reads the index
 * of open messages (`message_open`).
 */
export async function listSending(db: Db, limit: number): Promise<{ total: number; waves: SendingWave[] }> {
  const { rows } = await sql<SendingWave & { total: number }>`
    select message.id as "messageId", wave.id as "waveId", unit.name as unit, message.category_id as "categoryId",
      wave.number > 0 as reminder, expected, sent, failed, unknown, skipped, started_at as "startedAt",
      count(*) over ()::int as total
    from message
      join unit on unit.id = message.unit_id
      join wave on wave.message_id = message.id
        and wave.number = case message.state when 'sent' then 1 else 0 end
    where message.closed_at is null and message.state <> 'draft' and message.state in ('sending', 'sent')
      and wave.state = 'sending'
    order by coalesce(expected, 0) - sent - failed - unknown desc, message.id
    limit ${limit}
  `.execute(db)
  return { total: rows[0]?.total ?? 0, waves: rows.map(({ total: _, ...wave }) => wave) }
}

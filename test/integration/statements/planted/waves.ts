import { sql } from 'kysely'
import type { Trx } from '../../../../src/db/connect.ts'
import { ensureDeliveryPartition } from '../../../../src/db/queries/delivery/deliveries.ts'
import { perKey } from './people.ts'

/** Members of a batch: few, so that a wave has very many batches. */
export const perBatch = 16
export const batches = Math.ceil(perKey / perBatch)
/** The batches from here on are open, the others counted. */
export const firstOpen = batches - 24

export type PlantedWave = { messageId: string; waveId: string }

/** A message by mail to everybody, most of whose batches are sent. */
export async function plantWave(db: Trx, unitId: string): Promise<PlantedWave> {
  const message = await sql<{ id: string }>`
    insert into message (unit_id, origin, category_id, title, audience, channel_plan, created_by, state, remind_at)
    values (${unitId}, 'api', 'news', '{"zh-TW":"校園開放日"}', '{"kind":"all"}', '{"mode":"all","channels":["email"]}', 'key:planted',
      'sending', now() + interval '1 day') returning id`.execute(db)
  const messageId = message.rows[0]!.id
  const wave = await sql<{ id: string }>`
    insert into wave (message_id, month, state, expected, started_at, claimed)
    values (${messageId}, date_trunc('month', now())::date, 'sending', ${perKey}, now(), true) returning id`.execute(
    db,
  )
  const waveId = wave.rows[0]!.id
  await ensureDeliveryPartition(db, waveId)
  await sql`
    insert into batch (wave_id, channel, number, locale, size, state)
    select ${waveId}, 'email', n, 'zh-TW', ${perBatch}, case when n < ${firstOpen}::int then 'counted' else 'open' end
    from generate_series(0, ${batches - 1}::int) n`.execute(db)
  await sql`
    insert into delivery (wave_id, subject_id, channel, batch, state)
    select ${waveId}, id, 'email', nth / ${perBatch}::int, case when nth / ${perBatch}::int >= ${firstOpen}::int then 'pending'
      when nth % ${perBatch}::int = 0 then 'unknown' when nth % ${perBatch}::int = 1 then 'failed' else 'sent' end
    from (select id, row_number() over (order by id) - 1 as nth from subject where uid like 'person-%') as person`.execute(
    db,
  )
  await sql`
    insert into call (wave_id, channel, batch, call_number, retry_key, subject_ids, addresses, state)
    select wave_id, channel, batch, 0, uuidv7(), array_agg(subject_id), array_agg('a@example.edu'::text), 'accepted'
    from delivery where wave_id = ${waveId} and batch < ${firstOpen}::int group by 1, 2, 3`.execute(db)
  return { messageId, waveId }
}

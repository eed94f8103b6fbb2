import type pg from 'pg'
import { connect } from '../../src/db/connect.ts'
import { ensureDeliveryPartition } from '../../src/db/queries/delivery-partition.ts'
import { chatCategory, consentScope } from '../names.ts'
import { progress } from '../progress.ts'

const perBatch = 500

/** What the floor came to. `sent` and `skipped` must be those of ours. */
export type Floor = { seconds: number; sent: number; skipped: number }

const insertRows = `
  insert into delivery (wave_id, subject_id, channel, batch, state, reason)
  select $1, id, 'chat',
    case when reason is null then (row_number() over (partition by reason is null order by id) - 1) / ${perBatch} end,
    case when reason is null then 'pending' else 'skipped' end, reason
  from (
    select subject.id,
      case
        when consent.subject_id is null then 'noConsent'
        when preference.subject_id is not null then 'preferenceOff'
        when address.subject_id is null then 'noAddress'
        when address.blocked_at is not null or address.suppressed_at is not null then 'blocked'
      end as reason
    from subject
    left join consent on consent.subject_id = subject.id and consent.scope = '${consentScope}'
      and consent.withdrawn_at is null
    left join preference on preference.subject_id = subject.id and preference.category_id = '${chatCategory}'
      and preference.channel = 'chat' and not preference.enabled
    left join address on address.subject_id = subject.id and address.channel = 'chat'
  ) as person`

const selectBatch = `
  select delivery.subject_id, address.address
  from delivery join address on address.subject_id = delivery.subject_id and address.channel = 'chat'
  where wave_id = $1 and delivery.channel = 'chat' and batch = $2 and state = 'pending'`

const updateBatch = `
  update delivery set state = 'sent'
  where wave_id = $1 and channel = 'chat' and batch = $2 and state = 'pending'`

/**
 * The least that a durable row for everybody can cost: plain SQL on one connection, in a database whose rows are those of
 * ours. One INSERT … SELECT, then a select and an update, committed by itself, for each batch. No provider is called,
 * no lease taken, nothing counted.
 */
export async function measureFloor(client: pg.Client, url: string): Promise<Floor> {
  const waveId = await newWave(client, url)
  await client.query('checkpoint')
  const begun = performance.now()
  const { rowCount } = await client.query(insertRows, [waveId])
  const shown = progress('floor', rowCount!)
  let sent = 0
  for (let batch = 0; ; batch += 1) {
    const { rows } = await client.query(selectBatch, [waveId, batch])
    if (rows.length === 0) break
    await client.query(updateBatch, [waveId, batch])
    sent += rows.length
    shown.to(sent)
  }
  shown.end()
  return { seconds: (performance.now() - begun) / 1000, sent, skipped: rowCount! - sent }
}

/** An id, and the partition that its rows go to. */
async function newWave(client: pg.Client, url: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select uuidv7() as id')
  const db = connect(url, { poolSize: 1 })
  await ensureDeliveryPartition(db, rows[0]!.id)
  await db.destroy()
  return rows[0]!.id
}

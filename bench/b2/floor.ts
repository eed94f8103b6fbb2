import type pg from 'pg'
import { connect } from '../../src/db/connect.ts'
import { ensureDeliveryPartition } from '../../src/db/queries/delivery/deliveries.ts'
import type { BenchInstallation } from '../installation.ts'
import { chatCategory, consentScope } from '../names.ts'
import { progress } from '../progress.ts'
import { type Stopwatch, startStopwatch } from '../stopwatch.ts'

const perBatch = 500

/** `sent` and `skipped` (by reason) must equal Carillon's. */
export type Floor = Stopwatch & { sent: number; skipped: Record<string, number> }

/** Everybody, each with the reason for which they are not sent to; null: they are. */
export const judgedPeople = `
    select subject.id,
      case
        when consent.subject_id is null then 'noConsent'
        when preference.subject_id is not null then 'preferenceOff'
        when address.subject_id is null then 'noAddress'
        when address.blocked_at is not null or suppression.hash is not null then 'blocked'
      end as reason
    from subject
    left join consent on consent.subject_id = subject.id and consent.scope = '${consentScope}'
      and consent.withdrawn_at is null
    left join preference on preference.subject_id = subject.id and preference.category_id = '${chatCategory}'
      and preference.channel = 'chat' and not preference.enabled
    left join address on address.subject_id = subject.id and address.channel = 'chat'
    left join suppression on suppression.channel = 'chat' and suppression.hash = address.hash`

const insertRows = `
  insert into delivery (wave_id, subject_id, channel, batch, state, reason)
  select $1, id, 'chat',
    case when reason is null then (row_number() over (partition by reason is null order by id) - 1) / ${perBatch} end,
    case when reason is null then 'pending' else 'skipped' end, reason
  from (${judgedPeople}
  ) as person`

/**
 * Materialized: the statistics do not cover a wave that is being written, and for a join Postgres would read all of the
 * wave once per batch, by the index whose order suits the join.
 */
const selectBatch = `
  with member as materialized (
    select subject_id from delivery where wave_id = $1 and channel = 'chat' and batch = $2 and state = 'pending'
  )
  select address from member join address using (subject_id) where channel = 'chat'`

const updateBatch = `
  update delivery set state = 'sent'
  where wave_id = $1 and channel = 'chat' and batch = $2 and state = 'pending'`

const countSkipped = `
  select reason, count(*)::int as count from delivery where wave_id = $1 and state = 'skipped' group by reason`

/**
 * The minimum cost of an outcome for every recipient: plain SQL on one connection, in a copy of the database. One
 * INSERT … SELECT of the rows that Carillon writes, with the same joins; then, for each batch, a select of its
 * addresses and an update in its own transaction. Calls no provider, takes no lease and tallies nothing.
 */
export function measureFloor(installation: BenchInstallation, url: string, people: number): Promise<Floor> {
  return installation.plainly(url, async (client) => {
    const waveId = await newWave(client, url)
    const bar = progress('floor', people)
    const lap = startStopwatch(installation)
    await client.query(insertRows, [waveId])
    let sent = 0
    for (let batch = 0; ; batch += 1) {
      const { rows } = await client.query(selectBatch, [waveId, batch])
      if (rows.length === 0) break
      await client.query(updateBatch, [waveId, batch])
      sent += rows.length
      bar.to(sent)
    }
    const ended = lap(people)
    bar.end()
    const { rows } = await client.query<{ reason: string; count: number }>(countSkipped, [waveId])
    return { ...ended, sent, skipped: Object.fromEntries(rows.map(({ reason, count }) => [reason, count])) }
  })
}

/** Creates a wave id and the partition for its rows. */
async function newWave(client: pg.Client, url: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select uuidv7() as id')
  const db = connect(url, { poolSize: 1 })
  await ensureDeliveryPartition(db, rows[0]!.id)
  await db.destroy()
  return rows[0]!.id
}

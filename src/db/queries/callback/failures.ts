import { sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { Db, Trx } from '../../connect.ts'
import { mayNamePeople } from './answers.ts'

/** A finished batch in which deliveries failed. */
export type FailedBatch = { waveId: string; channel: Channel; number: number; failed: number }

/**
 * Reports failed deliveries of a message to callbacks that may name people: those of a minute together, up to a number of
 * people that one request names; what has so many is due at once. For units without such a callback it costs one index
 * lookup. Requires the lock of the message, so that no two transactions add to one report.
 */
export async function announceFailures(
  trx: Trx,
  { unitId, messageId }: { unitId: string; messageId: string },
  batches: readonly FailedBatch[],
): Promise<void> {
  if (batches.length === 0) return
  const { rows: callbacks } = await sql<{ id: string }>`
    select c.id from callback as c
    where c.unit_id = ${unitId} and c.enabled and 'delivery.failed' = any(c.types) and ${mayNamePeople}
    order by c.id for key share of c`.execute(trx)
  if (callbacks.length === 0) return
  for (const part of parts(batches)) {
    const people = part.reduce((sum, { failed }) => sum + failed, 0)
    const data = JSON.stringify({ people, batches: part.map(({ failed: _, ...batch }) => batch) })
    await sql`
      insert into callback_delivery (callback_id, message_id, type, state, version, data, next_try_at)
      select callback_id, m.id, 'delivery.failed', m.state, m.version, ${filled(sql`${data}::jsonb`)},
        ${dueAt(sql`${data}::jsonb`)}
      from unnest(${callbacks.map(({ id }) => id)}::uuid[]) as callbacks (callback_id), message as m
      where m.id = ${messageId}
      order by callback_id
      on conflict (callback_id, message_id)
        where type = 'delivery.failed' and outcome = 'pending' and tries = 0 and not data ? 'full'
      do update set data = ${filled(together)}, next_try_at = least(callback_delivery.next_try_at, ${dueAt(together)})
    `.execute(trx)
  }
}

/** What a report that waits says with what is added to it. */
const together = sql`jsonb_build_object(
        'people', (callback_delivery.data ->> 'people')::int + (excluded.data ->> 'people')::int,
        'batches', (callback_delivery.data -> 'batches') || (excluded.data -> 'batches'))`

/** A report, marked once it names as many people as it may. */
function filled(data: ReturnType<typeof sql>) {
  return sql`(${data} || case when (${data} ->> 'people')::int >= ${limits.failuresPerCallback}::int
        then '{"full": true}'::jsonb else '{}'::jsonb end)`
}

function dueAt(data: ReturnType<typeof sql>) {
  return sql`case when (${data} ->> 'people')::int >= ${limits.failuresPerCallback}::int then clock_timestamp()
        else clock_timestamp() + make_interval(secs => ${sql.lit(limits.answersEverySeconds)}) end`
}

/** Batches in groups, each of which fills a report, but for the last. */
function parts(batches: readonly FailedBatch[]): FailedBatch[][] {
  const groups: FailedBatch[][] = [[]]
  let people = 0
  for (const batch of batches) {
    if (people >= limits.failuresPerCallback) {
      groups.push([])
      people = 0
    }
    groups.at(-1)!.push(batch)
    people += batch.failed
  }
  return groups
}

/** A delivery that failed. `uid`: null if the person was erased. */
export type FailedDelivery = {
  subjectId: string | null
  uid: string | null
  channel: Channel
  reason: string | null
}

/** The failed deliveries of batches. They do not change any more: every try of a report reads the same. */
export async function findFailures(
  db: Db,
  batches: readonly Omit<FailedBatch, 'failed'>[],
): Promise<FailedDelivery[]> {
  const { rows } = await sql<FailedDelivery>`
    select subject.id as "subjectId", subject.uid, delivery.channel, delivery.reason
    from jsonb_to_recordset(${JSON.stringify(batches)}::jsonb) as batch ("waveId" uuid, channel text, number int)
      join delivery on delivery.wave_id = batch."waveId" and delivery.channel = batch.channel
        and delivery.batch = batch.number and delivery.state = 'failed'
      left join subject on subject.id = delivery.subject_id
    order by delivery.wave_id, delivery.channel, delivery.subject_id`.execute(db)
  return rows
}

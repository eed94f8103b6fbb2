import { sql } from 'kysely'
import { anyOf } from '../../any-of.ts'
import type { Trx } from '../../connect.ts'
import { type UnitDay, writeDays } from './unit-day.ts'

/** Signals that one round takes: a tap of each of so many people. */
const perRound = 5_000

/** Counts the readers of messages that somebody has read since. Returns the number of signals. Requires `lockRollUp`. */
export async function countNewReads(trx: Trx): Promise<number> {
  const { rows } = await sql<{ messageId: string }>`
    delete from read_signal where id in (select id from read_signal order by id limit ${perRound})
    returning message_id as "messageId"
  `.execute(trx)
  const days = await countReads(trx, [...new Set(rows.map(({ messageId }) => messageId))])
  await writeDays(trx, days)
  return rows.length
}

/**
 * Counts, for messages that are rolled up, those of the people they reached who marked them read, answered or asked for no
 * reminder. The number never falls: a mark that is past retention, or of an erased person, stays counted. Returns the
 * days of those that changed.
 */
export async function countReads(trx: Trx, messageIds: string[]): Promise<UnitDay[]> {
  if (messageIds.length === 0) return []
  const { rows } = await sql<UnitDay>`
    with response as (
      select message_id, subject_id, false as declined from message_answer where message_id = ${anyOf(messageIds)}
      union all
      select message_id, subject_id, true from do_not_remind where message_id = ${anyOf(messageIds)}
      union all
      select wave.message_id, subject_id, false from wave join inbox_read on wave_id = wave.id
      where wave.message_id = ${anyOf(messageIds)}
    ),
    reader as (
      select message_id, subject_id, bool_or(declined) as declined from response group by message_id, subject_id
    ),
    counted as (
      select wave_id, count(*) as read, count(*) filter (where declined) as declined
      from reader join wave_metric using (message_id)
      where number = 0 and exists (
        select from delivery where delivery.wave_id = wave_metric.wave_id and delivery.subject_id = reader.subject_id
          and state in ('sent', 'unknown'))
      group by wave_id
    )
    update wave_metric as kept
    set read = greatest(kept.read, counted.read), do_not_remind = greatest(do_not_remind, declined)
    from counted
    where kept.wave_id = counted.wave_id and (kept.read < counted.read or do_not_remind < declined)
    returning unit_id as "unitId", date
  `.execute(trx)
  return rows
}

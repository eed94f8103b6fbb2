import { sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { Trx } from '../../connect.ts'

/** The wave of a message, or the turn of a run, that was sent to a person last, on any channel; undefined: none was. */
export async function findLatestSent(trx: Trx, subjectId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      (${latestWave(subjectId)})
      union all
      (select id, null, first_try_at as at from turn
        where subject_id = ${subjectId} and run_id is not null and first_try_at is not null
          and channel is distinct from 'page'
        order by id desc limit 1)
    ) as sent
    order by at desc limit 1`.execute(trx)
  return rows[0]?.id
}

/**
 * The message that a person got on a channel last, before a moment, if nothing was said to them since in a conversation.
 * Undefined: there is none.
 */
export async function findLatestOn(
  trx: Trx,
  { subjectId, channel, until }: { subjectId: string; channel: Channel; until: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ messageId: string }>`
    select message_id as "messageId" from (${latestWave(subjectId, { channel, until })}) as sent
    where not exists (
      select from turn where subject_id = ${subjectId} and run_id is not null and first_try_at between at and ${until}
        and channel is distinct from 'page')`.execute(trx)
  return rows[0]?.messageId
}

/** The wave that was sent to a person last; of a channel and before a moment, if they are given. */
function latestWave(subjectId: string, on?: { channel: Channel; until: Date }) {
  const onChannel = on ? sql`and channel = ${on.channel}` : sql``
  const before = on ? sql`and started_at <= ${on.until}` : sql``
  return sql`
    select id, message_id, started_at as at from wave
    where id = any(array(
        select wave_id from delivery where subject_id = ${subjectId} and state in ('sent', 'unknown') ${onChannel}))
      and message_id is not null and started_at is not null ${before}
    order by started_at desc limit 1`
}

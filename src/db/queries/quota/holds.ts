import { sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { Month } from '../../../domain/lib/month.ts'
import type { Db } from '../../connect.ts'

/** What a wave of an open message reserves in a channel, in pushes. `number`: 0 for the send, 1 for the reminder. */
export type Hold = { messageId: string; channel: Channel; number: number; pushes: number }

/**
 * The largest reservations of a unit's month on each channel. Only open messages hold any: their index is read
 * (`message_open`), and no account is locked.
 */
export async function readHolds(db: Db, unitId: string, month: Month, limit: number): Promise<Hold[]> {
  const { rows } = await sql<Hold>`
    select "messageId", channel, number, pushes from (
      select message.id as "messageId", held.channel, wave.number,
        held.unit_reserved + held.pool_reserved as pushes,
        row_number() over (partition by held.channel
          order by held.unit_reserved + held.pool_reserved desc, message.id) as place
      from message join wave on wave.message_id = message.id
        join quota_reservation as held on held.wave_id = wave.id and held.month = ${month}
      where message.unit_id = ${unitId} and message.closed_at is null and message.state <> 'draft'
        and held.unit_reserved + held.pool_reserved > 0) as largest
    where place <= ${limit}
    order by channel, place`.execute(db)
  return rows
}

import { sql } from 'kysely'
import type { Channel, DeliveryState } from '../../../contract/enums.ts'
import type { Db } from '../../connect.ts'
import { type RowPage, unplanned } from '../../rows.ts'
import { deliveredAt } from '../subject/inbox.ts'

/** `uid`: null if the person was erased. */
export type MessageDeliveryRow = {
  subjectId: string
  uid: string | null
  /** Number of the wave: 0, or 1 for the reminder. */
  wave: number
  channel: Channel
  state: DeliveryState
  reason: string | null
  at: Date | null
}

/** Which deliveries; undefined: whatever. */
type DeliveryFilter = {
  states?: DeliveryState[] | undefined
  reason?: string | undefined
  subjectId?: string | undefined
}

/** The last row of the previous page. */
export type MessageDeliveryCursor = { wave: number; subjectId: string; channel: string }

/**
 * A message's deliveries, wave by wave, by subject and channel: a page is read from the primary key of the wave's
 * partition. A filter by outcome reads past the others, since an index that contained the outcome would be written with
 * each.
 */
export async function listMessageDeliveries(
  db: Db,
  messageId: string,
  filter: DeliveryFilter,
  { after, limit }: RowPage<MessageDeliveryCursor>,
): Promise<MessageDeliveryRow[]> {
  const waves = await db
    .selectFrom('wave')
    .select(['id', 'number'])
    .where('message_id', '=', messageId)
    .where('number', '>=', after?.wave ?? 0)
    .orderBy('number')
    .execute()
  const rows: MessageDeliveryRow[] = []
  for (const { id, number } of waves) {
    const page = { after: after?.wave === number ? after : null, limit: limit - rows.length }
    if (page.limit > 0) rows.push(...(await listWaveDeliveries(db, id, filter, page)))
  }
  return rows
}

async function listWaveDeliveries(
  db: Db,
  waveId: string,
  { states, reason, subjectId }: DeliveryFilter,
  { after, limit }: RowPage<MessageDeliveryCursor>,
): Promise<MessageDeliveryRow[]> {
  const conditions = [
    sql`wave_id = ${waveId}`,
    ...(after ? [sql`(subject_id, channel) > (${after.subjectId}::uuid, ${after.channel}::text)`] : []),
    ...(states ? [sql`state = any(${states}::text[])`] : []),
    ...(reason === undefined ? [] : [sql`reason = ${reason}`]),
    ...(subjectId === undefined ? [] : [sql`subject_id = ${subjectId}`]),
  ]
  const { rows } = await sql<MessageDeliveryRow>`
    select delivery.subject_id as "subjectId", subject.uid, wave.number as wave, delivery.channel, delivery.state,
      delivery.reason, ${deliveredAt} as at
    from (
      select * from delivery where ${sql.join(conditions, sql` and `)} order by subject_id, channel limit ${unplanned(limit)}
    ) as delivery
      join wave on wave.id = delivery.wave_id
      left join subject on subject.id = delivery.subject_id
    order by delivery.subject_id, delivery.channel
  `.execute(db)
  return rows
}

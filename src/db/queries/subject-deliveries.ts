import { sql } from 'kysely'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Channel } from '../../domain/channel-plan.ts'
import type { Db } from '../connect.ts'
import type { DeliveryState, MessageKind } from '../tables.ts'

export type SubjectDeliveryRow = {
  waveId: string
  messageId: string
  unitId: string
  categoryId: string
  kind: MessageKind
  title: LocalisedText
  reminder: boolean
  channel: Channel
  state: DeliveryState
  reason: string | null
  at: Date | null
}

/** Where the page before ended. */
export type AfterDelivery = { waveId: string; channel: string }

/** What became of every message for one person, newest first; of the skipped, the moment at which the send began. */
export async function listSubjectDeliveries(
  db: Db,
  subjectId: string,
  { after, limit }: { after: AfterDelivery | null; limit: number | null },
): Promise<SubjectDeliveryRow[]> {
  const { rows } = await sql<SubjectDeliveryRow>`
    select wave.id as "waveId", m.id as "messageId", m.unit_id as "unitId", m.category_id as "categoryId", m.kind,
      m.title, wave.number > 0 as reminder, told.channel, told.state, told.reason,
      coalesce((
        select min(first_try_at) from call
        where call.wave_id = told.wave_id and call.channel = told.channel and call.batch = told.batch
      ), wave.started_at) as at
    from delivery as told
      join wave on wave.id = told.wave_id
      join message m on m.id = wave.message_id
    where told.subject_id = ${subjectId}
      and (${after?.waveId ?? null}::uuid is null
        or (told.wave_id, told.channel) < (${after?.waveId ?? null}::uuid, ${after?.channel ?? null}))
    order by told.wave_id desc, told.channel desc
    limit ${limit}
  `.execute(db)
  return rows
}

import { sql } from 'kysely'
import type { Parts } from '../../../channels/channel.ts'
import type { Db } from '../../connect.ts'

type CompiledEmail = Parts['email'][0][0]

/**
 * The mail of a wave to a person, in the language in which it was sent; undefined if the person was not sent to, or its
 * text is past retention.
 */
export async function findSentMail(
  db: Db,
  { waveId, subjectId }: { waveId: string; subjectId: string },
): Promise<CompiledEmail | undefined> {
  const { rows } = await sql<{ mail: CompiledEmail | null }>`
    select coalesce(case wave.number when 1 then content.compiled_reminder end, content.compiled)
      #> array['email', 'locales', batch.locale, 'parts', '0', '0'] as mail
    from delivery
      join batch on batch.wave_id = delivery.wave_id and batch.channel = delivery.channel and number = delivery.batch
      join wave on wave.id = delivery.wave_id
      join message_content as content on content.message_id = wave.message_id
    where delivery.wave_id = ${waveId} and delivery.subject_id = ${subjectId} and delivery.channel = 'email'
      and delivery.state in ('pending', 'sent', 'unknown')
  `.execute(db)
  return rows[0]?.mail ?? undefined
}

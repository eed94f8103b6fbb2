import { sql } from 'kysely'
import type { Parts } from '../../../channels/channel.ts'
import type { Approval } from '../../../domain/rights/approval.ts'
import type { Db } from '../../connect.ts'
import { currentApproval } from '../approval/current-approval.ts'

type CompiledEmail = Parts['email'][0][0]

/** A mail as it was sent, and who approved it. */
export type SentMail = { mail: CompiledEmail; approval: Approval }

/**
 * The mail of a wave to a person, in the language in which it was sent; undefined if the person was not sent to, nobody
 * approved it, or its text is past retention.
 */
export async function findSentMail(
  db: Db,
  { waveId, subjectId }: { waveId: string; subjectId: string },
): Promise<SentMail | undefined> {
  const { rows } = await sql<{ [Field in keyof SentMail]: SentMail[Field] | null }>`
    select coalesce(case wave.number when 1 then content.compiled_reminder end, content.compiled) #> array['email', 'locales', (
        select locale from batch where batch.wave_id = delivery.wave_id and batch.channel = 'email' and number = delivery.batch
      ), 'parts', '0', '0'] as mail, ${currentApproval} as approval
    from (select * from delivery where wave_id = ${waveId} and subject_id = ${subjectId} offset 0) as delivery
      join wave on wave.id = delivery.wave_id
      join message as m on m.id = wave.message_id
      join message_content as content on content.message_id = m.id
    where delivery.channel = 'email' and delivery.state in ('pending', 'sent', 'unknown')
  `.execute(db)
  const { mail, approval } = rows[0] ?? { mail: null, approval: null }
  return mail && approval ? { mail, approval } : undefined
}

import type { Mailing } from '../../channels/email/mailing.ts'
import { type DueNotice, endNotice, takeNotice } from '../../db/queries/message/notice.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { Services } from '../context.ts'
import { noticeMail } from './mail.ts'

/** Sends a mail through the mail channel. */
export type SendMailing = (mailing: Mailing, mayBegin: () => boolean) => Promise<Outcome[]>
export type NoticeDeps = { services: Pick<Services, 'db' | 'log' | 'publicUrl'>; send: SendMailing }

/** About four days of tries, as mail servers make (RFC 5321, 4.5.4.1). */
export const triesAtMost = 100

/**
 * Sends the next due notice. Returns false if there is none. If the process dies between the server's answer and the
 * write of its row, the notice is sent again with the same Message-ID.
 */
export async function sendNextNotice(parts: NoticeDeps): Promise<boolean> {
  const { db, log } = parts.services
  const notice = await takeNotice(db)
  if (!notice) return false
  const { id: noticeId, about, objectId, tries } = notice
  const tried = await sendNotice(parts, notice).catch((err: unknown): Ending => {
    log.error({ noticeId, about, objectId, err }, 'Composing a notice failed')
    return { state: 'waiting', code: 'internal' }
  })
  const ending: Ending =
    tried.state === 'waiting' && tries >= triesAtMost ? { ...tried, state: 'failed' } : tried
  await endNotice(db, noticeId, ending)
  if (ending.code) log.warn({ noticeId, about, objectId, tries, ...ending }, 'A notice was not sent')
  return true
}

async function sendNotice({ services, send }: NoticeDeps, notice: DueNotice): Promise<Ending> {
  if (!notice.current) return { state: 'obsolete' }
  const letter = noticeMail(notice, services.publicUrl ?? '')
  const to = [{ subjectId: notice.personId, address: notice.email }]
  const [outcome] = await send(
    { mail: letter, messageId: notice.objectId, waveId: notice.id, to },
    () => true,
  )
  return endingOf(outcome!)
}

/** The outcome of a try. */
export type Ending = Parameters<typeof endNotice>[2]

/** A rejection concerns this address and is final; other failures are retried. */
export function endingOf(outcome: Outcome): Ending {
  switch (outcome.kind) {
    case 'accepted':
      return { state: 'sent' }
    case 'refused':
      return { state: 'failed', code: outcome.code }
    default:
      return { state: 'waiting', code: 'code' in outcome ? outcome.code : outcome.kind }
  }
}

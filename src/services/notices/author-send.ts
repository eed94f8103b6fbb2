import {
  type DueAuthorNotice,
  endAuthorNotice,
  takeAuthorNotice,
} from '../../db/queries/message/author-notice.ts'
import { authorMail } from './author-mail.ts'
import { type Ending, endingOf, type NoticeDeps, triesAtMost } from './send.ts'

/**
 * Sends the next due notice to an author. Returns false if there is none. If the process dies between the server's answer
 * and the write of its row, the notice is sent again with the same Message-ID.
 */
export async function sendNextAuthorNotice(parts: NoticeDeps): Promise<boolean> {
  const { db, log } = parts.services
  const notice = await takeAuthorNotice(db)
  if (!notice) return false
  const { id: noticeId, messageId, what, tries } = notice
  const tried = await sendNotice(parts, notice).catch((err: unknown): Ending => {
    log.error({ noticeId, messageId, what, err }, 'Composing a notice to an author failed')
    return { state: 'waiting', code: 'internal' }
  })
  const exhausted = tried.state === 'waiting' && tries >= triesAtMost
  const ending: Ending = exhausted ? { ...tried, state: 'failed' } : tried
  await endAuthorNotice(db, noticeId, ending)
  if (ending.code)
    log.warn({ noticeId, messageId, what, tries, ...ending }, 'A notice to an author was not sent')
  return true
}

async function sendNotice({ services, send }: NoticeDeps, notice: DueAuthorNotice): Promise<Ending> {
  if (!notice.current) return { state: 'obsolete' }
  const { id: waveId, messageId, personId: subjectId, email: address } = notice
  const mail = authorMail(notice, services.publicUrl ?? '')
  const [outcome] = await send({ mail, messageId, waveId, to: [{ subjectId, address }] }, () => true)
  return endingOf(outcome!)
}

import { sendToOne } from '../../channels/connection.ts'
import type { Mailing, MailSending } from '../../channels/email/mailing.ts'
import { takeHandoffNotice } from '../../db/queries/handoff/notice.ts'
import {
  endNotice,
  type NoticeEnding,
  type NoticeTableName,
  takeNotice,
} from '../../db/queries/message/notice.ts'
import { takeAuthorNotice } from '../../db/queries/notice/author-notice.ts'
import type { Outcome } from '../../domain/message/outcome.ts'
import type { Services } from '../context.ts'
import { authorMail } from './author-mail.ts'
import { handoffMail } from './handoff-mail.ts'
import { noticeMail } from './mail.ts'

/** Sends a mail through the mail channel. */
export type NoticeDeps = { services: Pick<Services, 'db' | 'log' | 'publicUrl'>; sender: MailSending }

/**
 * Sends the next due notice to an approver. Returns false if there is none. If the process dies between the server's
 * answer and the write of its row, the notice is sent again with the same Message-ID.
 */
export async function sendNextNotice(parts: NoticeDeps): Promise<boolean> {
  const { db, publicUrl } = parts.services
  const notice = await takeNotice(db)
  if (!notice) return false
  const { about, objectId } = notice
  await sendTaken(parts, 'notice', notice, {
    name: 'notice',
    about: { about, objectId },
    objectId,
    mail: () => noticeMail(notice, publicUrl ?? ''),
  })
  return true
}

/** Sends the next due notice to an author, as `sendNextNotice` does. */
export async function sendNextAuthorNotice(parts: NoticeDeps): Promise<boolean> {
  const { db, publicUrl } = parts.services
  const notice = await takeAuthorNotice(db)
  if (!notice) return false
  const { messageId, startId, what } = notice
  await sendTaken(parts, 'author_notice', notice, {
    name: 'notice to an author',
    about: { ...(startId === null ? { messageId } : { startId }), what },
    objectId: (startId ?? messageId)!,
    mail: () => authorMail(notice, publicUrl ?? ''),
  })
  return true
}

/** Sends the next due notice about a handoff to a person of its unit, as `sendNextNotice` does. */
export async function sendNextHandoffNotice(parts: NoticeDeps): Promise<boolean> {
  const { db, publicUrl } = parts.services
  const notice = await takeHandoffNotice(db)
  if (!notice) return false
  const { handoffId } = notice
  await sendTaken(parts, 'handoff_notice', notice, {
    name: 'notice about a handoff',
    about: { handoffId },
    objectId: handoffId,
    mail: () => handoffMail(notice, publicUrl ?? ''),
  })
  return true
}

type TakenNotice = { id: string; tries: number; current: boolean; personId: string; email: string }

/** What differs between notices: their name and what identifies them in the log, what they are about, and the mail. */
type NoticeKind = { name: string; about: object; objectId: string; mail: () => Mailing['content'] }

/** About four days of tries, as mail servers make (RFC 5321, 4.5.4.1). */
const triesAtMost = 100

async function sendTaken(
  { services: { db, log }, sender }: NoticeDeps,
  table: NoticeTableName,
  notice: TakenNotice,
  { name, about, objectId, mail }: NoticeKind,
): Promise<void> {
  const { id: noticeId, tries } = notice
  const result = await trySend(sender, notice, objectId, mail).catch((err: unknown): NoticeEnding => {
    log.error({ noticeId, ...about, err }, `Composing a ${name} failed`)
    return { state: 'waiting', code: 'internal' }
  })
  const exhausted = result.state === 'waiting' && tries >= triesAtMost
  const ending: NoticeEnding = exhausted ? { ...result, state: 'failed' } : result
  await endNotice(db, table, noticeId, ending)
  if (ending.code) log.warn({ noticeId, ...about, tries, ...ending }, `A ${name} was not sent`)
}

async function trySend(
  sender: MailSending,
  { id: waveId, current, personId: subjectId, email: address }: TakenNotice,
  messageId: string,
  mail: () => Mailing['content'],
): Promise<NoticeEnding> {
  if (!current) return { state: 'obsolete' }
  const to = { subjectId, address }
  return endingOf(await sendToOne(sender, { content: mail(), messageId, waveId, retryKey: waveId, to }))
}

/** A rejection concerns this address and is final; other failures are retried. */
function endingOf(outcome: Outcome): NoticeEnding {
  switch (outcome.kind) {
    case 'accepted':
      return { state: 'sent' }
    case 'refused':
      return { state: 'failed', code: outcome.code }
    default:
      return { state: 'waiting', code: 'code' in outcome ? outcome.code : outcome.kind }
  }
}

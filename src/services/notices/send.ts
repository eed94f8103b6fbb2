import type { Mailing } from '../../channels/email/mailing.ts'
import { type DueNotice, endNotice, takeNotices } from '../../db/queries/notice.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { Services } from '../context.ts'
import { type Rounds, startRounds } from '../rounds.ts'
import { noticeLetter } from './letter.ts'

/** Hands a mail over; as the mail channel does. */
export type SendMailing = (mailing: Mailing, mayBegin: () => boolean) => Promise<Outcome[]>
export type NoticeParts = { services: Pick<Services, 'db' | 'log' | 'publicUrl'>; send: SendMailing }

/** How often due notices are looked for, ms. */
const roundMs = 2_000
/** Sent one after another, all within the time for which they are taken. */
const perRound = 2

/** Sends the notices to approvers, until it is stopped. */
export function startNotices(parts: NoticeParts): Rounds {
  const { log } = parts.services
  return startRounds({ log, what: 'notices', everyMs: roundMs }, async () => {
    return (await sendDueNotices(parts)) === perRound
  })
}

/**
 * Sends notices that are due, one after another, and answers how many were taken. A process that dies between the
 * server's answer and our row sends once more, under the same Message-ID.
 */
export async function sendDueNotices({ services, send }: NoticeParts): Promise<number> {
  const notices = await takeNotices(services.db, perRound)
  for (const notice of notices)
    await endNotice(services.db, notice.id, await sendNotice({ services, send }, notice))
  return notices.length
}

async function sendNotice({ services, send }: NoticeParts, notice: DueNotice): Promise<Ending> {
  if (!notice.current) return { state: 'obsolete' }
  const letter = noticeLetter(notice, services.publicUrl ?? '')
  const to = [{ subjectId: notice.personId, address: notice.email }]
  const [outcome] = await send({ letter, messageId: notice.messageId, waveId: notice.id, to }, () => true)
  const ending = endingOf(outcome!)
  if (ending.code)
    services.log.warn(
      { noticeId: notice.id, messageId: notice.messageId, code: ending.code, tries: notice.tries },
      'A notice to an approver was not sent',
    )
  return ending
}

type Ending = Parameters<typeof endNotice>[2]

/** A refusal is about this address and final; everything else may pass. */
function endingOf(outcome: Outcome): Ending {
  switch (outcome.kind) {
    case 'accepted':
      return { state: 'sent' }
    case 'refused':
      return { state: 'failed', code: outcome.code }
    default:
      return { state: 'waiting', code: 'code' in outcome ? outcome.code : outcome.kind }
  }
}

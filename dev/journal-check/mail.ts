import type { Db } from '../../src/db/connect.ts'
import type { Finding } from '../../src/db/queries/doctor/doctor.ts'
import { findingsOf } from './findings.ts'
import type { MailJournalEntry } from './journals.ts'
import { mailedDeliveries, recipientsClosedBefore, recipientsOptedOut, wavesByMail } from './rows.ts'
import { checkMailTurns } from './turns.ts'

const rules = {
  'mail-sent-once':
    'no recipient received a mail twice unless its outcome was unknown, and every mail that reached the server has its row',
  'mail-none-when-cancelled': 'no mail of a cancelled message reached the server',
  'mail-no-unwanted-reminder': 'no recipient was reminded by mail after opting out',
  'mail-none-against-consent':
    'no recipient received a mail after blocking, withdrawing consent or unsubscribing before the first claim of the batch',
  'mail-sent-was-received': 'every mail with state sent is in the journal',
} as const

/** The Message-ID of a delivery: wave and subject. Other mails (notices, tests) have another format. */
const delivery = /^<([0-9a-f-]{36})\.([0-9a-f-]{36})@/

/**
 * Compares the rows with the mail server's journal. Findings contain only ids and numbers, so that they can be printed
 * anywhere.
 */
export async function checkMailJournal(db: Db, journal: MailJournalEntry[]): Promise<Finding[]> {
  const broken: Record<keyof typeof rules, string[]> = {
    'mail-sent-once': [],
    'mail-none-when-cancelled': [],
    'mail-no-unwanted-reminder': [],
    'mail-none-against-consent': [],
    'mail-sent-was-received': [],
  }
  const received = mailsByWave(journal)
  for (const { waveId, messageId, state } of await wavesByMail(db)) {
    const mails = received.get(waveId) ?? new Map<string, number>()
    if (state === 'cancelled' && mails.size > 0)
      broken['mail-none-when-cancelled'].push(`message ${messageId}: ${mails.size} mails`)
    for (const { subjectId } of await recipientsOptedOut(db, waveId, 'email'))
      if (mails.has(subjectId))
        broken['mail-no-unwanted-reminder'].push(`wave ${waveId}: subject ${subjectId}`)
    for (const { subjectId } of await recipientsClosedBefore(db, waveId, 'email'))
      if (mails.has(subjectId))
        broken['mail-none-against-consent'].push(`wave ${waveId}: subject ${subjectId}`)

    const rows = new Map((await mailedDeliveries(db, waveId)).map((row) => [row.subjectId, row]))
    for (const [subjectId, count] of mails) {
      const row = rows.get(subjectId)
      const doubtful = row?.state === 'unknown' || row?.reason === 'repeated'
      if (doubtful || (row?.state === 'sent' && count === 1)) continue
      if (row?.state === 'pending') continue // its outcome is not written yet
      broken['mail-sent-once'].push(
        `wave ${waveId}: subject ${subjectId}: ${row?.state ?? 'no delivery'}, ${count} mails`,
      )
    }
    for (const { subjectId, state } of rows.values())
      if (state === 'sent' && !mails.has(subjectId))
        broken['mail-sent-was-received'].push(`wave ${waveId}: subject ${subjectId}`)
  }
  return [...findingsOf(rules, broken), ...(await checkMailTurns(db, journal))]
}

/** The number of accepted mails by wave and subject. */
function mailsByWave(journal: MailJournalEntry[]): Map<string, Map<string, number>> {
  const waves = new Map<string, Map<string, number>>()
  for (const { messageId } of journal) {
    const [, waveId, subjectId] = delivery.exec(messageId) ?? []
    if (!waveId || !subjectId) continue
    const mails = waves.get(waveId) ?? new Map<string, number>()
    waves.set(waveId, mails.set(subjectId, (mails.get(subjectId) ?? 0) + 1))
  }
  return waves
}

import type { Db } from '../db/connect.ts'
import type { Finding } from '../db/queries/maintenance/doctor.ts'
import {
  mailedDeliveries,
  refusedRecipients,
  unwillingRecipients,
  wavesByMail,
} from '../db/queries/maintenance/journal-check.ts'
import { findingsOf } from './journal-findings.ts'

/** One mail as the server wrote it down before it answered. */
export type MailJournalEntry = { seq: number; messageId: string }

const rules = {
  I3: 'nobody got a mail twice but through unknown, and none reached the server that its row does not own up to',
  'I7 mail': 'nothing of a cancelled message reached the mail server',
  'I11 mail': 'nobody was reminded by mail who had asked not to be',
  'I12 mail':
    'nobody got a mail who was blocked, had withdrawn or unsubscribed before the first claim of their batch',
  'I13 mail': 'every mail that says sent is in the journal',
} as const

/** Of a delivery: wave and subject. Mails of other kinds (notices, tests) are named otherwise. */
const delivery = /^<([0-9a-f-]{36})\.([0-9a-f-]{36})@/

/**
 * Holds the rows against the mail server's own journal (quality.md: I3, I7, I11, I12, I13). Ids and numbers only: what a
 * finding shows may be printed anywhere.
 */
export async function checkMailJournal(db: Db, journal: MailJournalEntry[]): Promise<Finding[]> {
  const broken: Record<keyof typeof rules, string[]> = {
    I3: [],
    'I7 mail': [],
    'I11 mail': [],
    'I12 mail': [],
    'I13 mail': [],
  }
  const received = mailsByWave(journal)
  for (const { waveId, messageId, state } of await wavesByMail(db)) {
    const mails = received.get(waveId) ?? new Map<string, number>()
    if (state === 'cancelled' && mails.size > 0)
      broken['I7 mail'].push(`message ${messageId}: ${mails.size} mails`)
    for (const { subjectId } of await unwillingRecipients(db, waveId, 'email'))
      if (mails.has(subjectId)) broken['I11 mail'].push(`wave ${waveId}: subject ${subjectId}`)
    for (const { subjectId } of await refusedRecipients(db, waveId, 'email'))
      if (mails.has(subjectId)) broken['I12 mail'].push(`wave ${waveId}: subject ${subjectId}`)

    const rows = new Map((await mailedDeliveries(db, waveId)).map((row) => [row.subjectId, row]))
    for (const [subjectId, count] of mails) {
      const row = rows.get(subjectId)
      const doubtful = row?.state === 'unknown' || row?.reason === 'repeated'
      if (doubtful || (row?.state === 'sent' && count === 1)) continue
      if (row?.state === 'pending') continue // its outcome is still to be written
      broken.I3.push(`wave ${waveId}: subject ${subjectId}: ${row?.state ?? 'no delivery'}, ${count} mails`)
    }
    for (const { subjectId, state } of rows.values())
      if (state === 'sent' && !mails.has(subjectId))
        broken['I13 mail'].push(`wave ${waveId}: subject ${subjectId}`)
  }
  return findingsOf(rules, broken)
}

/** How many mails the server took, by wave and subject. */
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

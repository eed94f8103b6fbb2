import { beforeEach, describe, expect, it } from 'vitest'
import { checkMailJournal } from '../../../dev/journal-check/mail.ts'
import { forSends, withFarEnds } from '../../fixtures/delivery.ts'
import { sendAll } from '../../fixtures/delivery-steps.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { insertRow, updateRows } from '../../fixtures/rows.ts'
import { type PlannedSend, startedSend } from '../../fixtures/sends.ts'

let planned: PlannedSend
let subjects: string[]
const { database, shared: fixture } = forSends()

/** Three mailed recipients. */
beforeEach(async () => {
  await database.db.deleteFrom('delivery').execute()
  const own = await withFarEnds(fixture)
  planned = await startedSend(own, await addRecipients(database.db, 3, ['email']), { categoryId: 'letters' })
  await sendAll(own, planned)
  const rows = await database.db.selectFrom('delivery').select('subject_id').execute()
  subjects = rows.map(({ subject_id }) => subject_id)
})

const mail = (subjectId: string, seq = 1) => ({
  seq,
  messageId: `<${planned.waveId}.${subjectId}@hub.example.edu>`,
})
const each = () => subjects.map((subjectId) => mail(subjectId))

/** The rules that a journal breaks. */
async function broken(journal: Parameters<typeof checkMailJournal>[1]): Promise<string[]> {
  const findings = await checkMailJournal(database.db, journal)
  return findings.filter(({ ok }) => !ok).map(({ name }) => name)
}

function set(values: { state: 'sent' | 'unknown' | 'failed'; reason: string | null }) {
  return database.db.updateTable('delivery').set(values).where('subject_id', '=', subjects[0]!).execute()
}

describe('rows against the mail server’s journal', () => {
  it('agree if every mail is there once; other mails do not count', async () => {
    expect(await broken([...each(), { seq: 9, messageId: '<notice@hub.example.edu>' }])).toEqual([])
  })

  it('break mail-sent-once if a recipient received two mails without an unknown outcome', async () => {
    const twice = [...each(), mail(subjects[0]!, 4)]
    expect(await broken(twice)).toEqual(['mail-sent-once'])
    await set({ state: 'unknown', reason: 'cut' })
    expect(await broken(twice)).toEqual([])
    await set({ state: 'sent', reason: 'repeated' })
    expect(await broken(twice)).toEqual([])
  })

  it('break mail-sent-once if a recipient received a mail that their row denies', async () => {
    await set({ state: 'failed', reason: 'bad_address' })
    expect(await broken(each())).toEqual(['mail-sent-once'])
  })

  it('break mail-none-when-cancelled if a mail of a cancelled message was sent', async () => {
    await updateRows(database.db, 'message', { id: planned.id }, { state: 'cancelled' })
    expect(await broken(each())).toEqual(['mail-none-when-cancelled'])
  })

  it('break mail-no-unwanted-reminder if a recipient was reminded after opting out', async () => {
    const at = new Date(Date.now() - 60_000)
    await database.db.updateTable('wave').set({ number: 1 }).where('id', '=', planned.waveId).execute()
    await insertRow(database.db, 'do_not_remind', { message_id: planned.id, subject_id: subjects[0]!, at })
    expect(await broken(each())).toEqual(['mail-no-unwanted-reminder'])
  })

  it('break mail-none-against-consent if the address had been suppressed before', async () => {
    const before = new Date(Date.now() - 60_000)
    const hash = Buffer.from('hash')
    await updateRows(database.db, 'address', { subject_id: subjects[0]!, channel: 'email' }, { hash })
    await insertRow(database.db, 'suppression', { channel: 'email', hash, since: before, why: 'bounce' })
    expect(await broken(each())).toEqual(['mail-none-against-consent'])
  })

  it('break mail-sent-was-received if a row is sent and the server received no mail', async () => {
    expect(await broken(each().slice(1))).toEqual(['mail-sent-was-received'])
  })
})

import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkChatJournal } from '../../../dev/journal-check/chat.ts'
import type { JournalEntry } from '../../../dev/journal-check/journals.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { createSubmitted, forMessages } from '../../fixtures/message-fixture.ts'
import { insertRow, selectRow, updateRows } from '../../fixtures/rows.ts'

const { fresh, fixture } = forMessages()

/** One wave that sent to three people in one call, as the delivery would have written it. */
let sent: { messageId: string; waveId: string; retryKey: string; subjects: string[]; entry: JournalEntry }
beforeEach(async () => {
  for (const table of ['call', 'delivery', 'batch', 'quota_reservation', 'wave'] as const)
    await fresh.db.deleteFrom(table).execute()
  const messageId = await createSubmitted(fixture)
  await approveMessage(fixture.services, fixture.approver, messageId)
  sent = await writeSend(messageId)
})

async function writeSend(messageId: string) {
  const { id: waveId } = await selectRow(fresh.db, 'wave', { message_id: messageId }, ['id'])
  const people = await fresh.db
    .selectFrom('address')
    .select(['subject_id', 'address'])
    .orderBy('address')
    .limit(3)
    .execute()
  const subjects = people.map((person) => person.subject_id)
  const addresses = people.map((person) => person.address)
  const channel = 'chat' as const
  const key = { wave_id: waveId, channel }
  await insertRow(fresh.db, 'batch', { ...key, number: 1, locale: 'zh-TW', size: 3, state: 'counted' })
  const retryKey = randomUUID()
  await insertRow(fresh.db, 'call', {
    ...key,
    batch: 1,
    call_number: 0,
    retry_key: retryKey,
    subject_ids: subjects,
    addresses,
    state: 'accepted',
    first_try_at: new Date(),
  })
  const entry: JournalEntry = { seq: 1, status: 200, to: addresses, retryKey }
  return { messageId, waveId, retryKey, subjects, entry }
}

/** The rules that a journal breaks. */
async function broken(...journal: JournalEntry[]): Promise<string[]> {
  const findings = await checkChatJournal(fresh.db, journal)
  return findings.filter(({ ok }) => !ok).map(({ name }) => name)
}

describe('rows against the provider’s journal', () => {
  it('agree if every call is there once; rejected and repeated ones do not count', async () => {
    const refused = { ...sent.entry, status: 429 }
    const repeated = { ...sent.entry, status: 409 }
    expect(await broken(refused, sent.entry, repeated)).toEqual([])
  })

  it('break chat-sent-once if a recipient received a call twice', async () => {
    expect(await broken(sent.entry, { ...sent.entry, seq: 2 })).toEqual(['chat-sent-once'])
  })

  it('break chat-sent-once if a call was made that no row records', async () => {
    expect(await broken(sent.entry, { ...sent.entry, seq: 2, retryKey: randomUUID() })).toEqual([
      'chat-sent-once',
    ])
  })

  it('break chat-none-when-cancelled if a call of a cancelled message was made', async () => {
    await updateRows(fresh.db, 'message', { id: sent.messageId }, { state: 'cancelled' })
    expect(await broken(sent.entry)).toEqual(['chat-none-when-cancelled'])
  })

  it('break chat-no-unwanted-reminder if a recipient was reminded after opting out', async () => {
    const [subject_id] = sent.subjects as [string]
    const { messageId: message_id, waveId } = sent
    const askedAt = async (at: Date) => {
      await fresh.db.deleteFrom('do_not_remind').execute()
      await fresh.db.insertInto('do_not_remind').values({ message_id, subject_id, at }).execute()
    }
    await askedAt(new Date(Date.now() - 60_000))
    expect(await broken(sent.entry)).toEqual([]) // a first wave is no reminder
    await fresh.db.updateTable('wave').set({ number: 1 }).where('id', '=', waveId).execute()
    expect(await broken(sent.entry)).toEqual(['chat-no-unwanted-reminder'])
    await askedAt(new Date(Date.now() + 60_000))
    expect(await broken(sent.entry)).toEqual([])
  })

  it('break chat-none-against-consent if a recipient had blocked the account before', async () => {
    const [subject] = sent.subjects
    const block = (blocked_at: Date | null) =>
      fresh.db.updateTable('address').set({ blocked_at }).where('subject_id', '=', subject!).execute()
    await block(new Date(Date.now() - 60_000))
    expect(await broken(sent.entry)).toEqual(['chat-none-against-consent'])
    await block(new Date(Date.now() + 60_000))
    expect(await broken(sent.entry)).toEqual([])
    await block(null)
  })

  it('break chat-sent-was-received if a row is sent and the provider received no call', async () => {
    expect(await broken()).toEqual(['chat-sent-was-received'])
  })
})

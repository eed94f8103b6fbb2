import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Mailing } from '../../../src/channels/email/mailing.ts'
import { parkWave } from '../../../src/db/queries/delivery/parking.ts'
import type { Outcome } from '../../../src/domain/message/outcome.ts'
import type { PersonPrincipal } from '../../../src/domain/rights/principal.ts'
import { editPerson } from '../../../src/services/admin/persons.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { cancelMessage, rejectMessage } from '../../../src/services/messages/transitions.ts'
import { sendNextAuthorNotice } from '../../../src/services/notices/send.ts'
import { contentFor } from '../../fixtures/cleared.ts'
import { createDraft, createSubmitted, forMessages } from '../../fixtures/message-fixture.ts'
import { sendNotices } from '../../fixtures/notice-mails.ts'
import { selectRow } from '../../fixtures/rows.ts'

let author: PersonPrincipal
const { fresh, fixture } = forMessages()
beforeAll(async () => {
  author = fixture.editor
  await fresh.db.updateTable('person').set({ language: 'en' }).where('id', '=', author.personId).execute()
})
beforeEach(() => fresh.db.deleteFrom('author_notice').execute())

const sendAll = (outcome?: Outcome) => sendNotices(sendNextAuthorNotice, fixture.services, outcome)

const textOf = ({ content }: Mailing) => contentFor(content).text.join('')
const submitted = (parts = {}) => createSubmitted(fixture, parts, author)
const dueNow = () => sql`update author_notice set next_try_at = now()`.execute(fresh.db)

async function parked(): Promise<string> {
  const id = await submitted()
  await approveMessage(fixture.services, fixture.approver, id)
  await sendAll()
  await fresh.db.updateTable('wave').set({ state: 'sending' }).where('message_id', '=', id).execute()
  await park(id)
  return id
}

async function park(id: string): Promise<void> {
  const { id: waveId } = await selectRow(fresh.db, 'wave', { message_id: id }, ['id'])
  await fresh.db
    .transaction()
    .execute((trx) => parkWave(trx, { waveId, messageId: id }, { problem: 'provider', gate: true }))
}

describe('the author of a message is told by mail', () => {
  it('that it was rejected, by whom and why, with a link to it', async () => {
    const id = await submitted()
    await rejectMessage(fixture.services, fixture.approver, id, { reason: 'The date is wrong.' })
    const [mail, ...others] = await sendAll()
    expect(others).toEqual([])
    expect(mail!.to[0]!.subjectId).toBe(author.personId)
    expect(contentFor(mail!.content).subject).toBe('Rejected: Registration closes today')
    expect(textOf(mail!)).toContain('Approver rejected this message')
    expect(textOf(mail!)).toContain('The date is wrong.')
    expect(textOf(mail!)).toContain(`https://hub.example.edu/messages/${id}`)
    expect(textOf(mail!)).toContain('→ Mail settings\nhttps://hub.example.edu/mail-settings\n')
  })

  it('that a person approved it, and when it starts', async () => {
    const now = await submitted()
    await approveMessage(fixture.services, fixture.approver, now)
    const later = await submitted({ scheduleAt: '2037-01-01T00:00:00Z' })
    await approveMessage(fixture.services, fixture.approver, later)
    const texts = (await sendAll()).map(textOf)
    expect(texts).toMatchObject([
      expect.stringContaining('The send starts now.'),
      expect.stringMatching(/starts at Jan 1, 2037/),
    ])
  })

  it('not that it was approved, if it was cancelled since', async () => {
    const id = await submitted({ scheduleAt: '2037-01-01T00:00:00Z' })
    await approveMessage(fixture.services, fixture.approver, id)
    await cancelMessage(fixture.services, author, id)
    expect(await sendAll()).toEqual([])
  })

  it('that its send is parked, once, ten minutes later, if it still is', async () => {
    const id = await parked()
    await park(id)
    expect(await sendAll()).toEqual([])
    await dueNow()
    expect((await sendAll()).map(({ content }) => contentFor(content).subject)).toEqual([
      'Send paused: Registration closes today',
    ])
    const over = await parked()
    await sql`update message set problem = null where id = ${over}`.execute(fresh.db)
    await dueNow()
    expect(await sendAll()).toEqual([])
  })

  it('only of what they have not switched off', async () => {
    await editPerson(fresh.db, 'operator:cli', author.personId, { authorNotices: ['approved'] })
    await rejectMessage(fixture.services, fixture.approver, await submitted(), { reason: 'no' })
    await approveMessage(fixture.services, fixture.approver, await submitted())
    expect((await sendAll()).map(({ content }) => contentFor(content).subject)).toEqual([
      'Approved: Registration closes today',
    ])
    await editPerson(fresh.db, 'operator:cli', author.personId, {
      authorNotices: ['rejected', 'approved', 'parked'],
    })
  })

  it('as everybody who wrote or submitted it, and a key is not', async () => {
    const id = await createDraft(fixture)
    await submitMessage(fixture.services, author, id)
    await rejectMessage(fixture.services, fixture.approver, id, { reason: 'no' })
    const left = await createDraft(fixture)
    await submitMessage(fixture.services, fixture.producer, left)
    await rejectMessage(fixture.services, fixture.approver, left, { reason: 'no' })
    expect((await sendAll()).map(({ messageId }) => messageId)).toEqual([id])
  })

  it('again, if the mail could not be sent', async () => {
    await rejectMessage(fixture.services, fixture.approver, await submitted(), { reason: 'no' })
    expect(await sendAll({ kind: 'deferred', code: 'greylisted' } as Outcome)).toHaveLength(1)
    await dueNow()
    expect(await sendAll()).toHaveLength(1)
    await dueNow()
    expect(await sendAll()).toEqual([])
  })
})

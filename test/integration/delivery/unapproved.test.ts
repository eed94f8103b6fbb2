import { randomUUID } from 'node:crypto'
import { sql, type Updateable } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { advanceRun } from '../../../src/activities/scenario/advance-run.ts'
import { sendNextReply, sendTurn } from '../../../src/activities/scenario/send-turn.ts'
import { connectChat } from '../../../src/channels/chat/client.ts'
import { replyChat, sendChat } from '../../../src/channels/chat/send.ts'
import { Cleared } from '../../../src/channels/cleared.ts'
import { sendToOne } from '../../../src/channels/connection.ts'
import { insertReply } from '../../../src/db/queries/handoff/reply.ts'
import { findTurnMail } from '../../../src/db/queries/scenario-run/linked-turn.ts'
import { listInbox } from '../../../src/db/queries/subject/inbox.ts'
import { findSentMail } from '../../../src/db/queries/subject/sent-mail.ts'
import type { ScenarioVersionTable } from '../../../src/db/tables/scenario.ts'
import { createPattern } from '../../../src/services/patterns/patterns.ts'
import { replyTo } from '../../../src/services/recipients/acknowledge.ts'
import { conversation, storeEvent } from '../../fixtures/conversations.ts'
import { forFarEnds, mailSender } from '../../fixtures/delivery.ts'
import { activityAttempt, runUntilWait, sendAll } from '../../fixtures/delivery-steps.ts'
import { openWith } from '../../fixtures/handoffs.ts'
import { newPattern } from '../../fixtures/new-pattern.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { updateRows } from '../../fixtures/rows.ts'
import { insertScenario, insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { byCall } from '../../fixtures/senders.ts'
import { approvedSend, startedSend, tallyOf } from '../../fixtures/sends.ts'
import { token } from '../../fixtures/simulator-calls.ts'

const { database, fixture } = forFarEnds()
let tag: string
beforeAll(async () => {
  tag = await addRecipients(database.db, 2, ['chat', 'email'])
})
beforeEach(async () => {
  const client = connectChat({ baseUrl: fixture.chat.url, token })
  fixture.delivery.services = {
    ...fixture.services,
    wake: () => {},
    replyChat: (reply) => replyChat(client, reply),
  }
})

const words = [{ kind: 'text' as const, text: { 'zh-TW': '請點 https://evil.example' } }]
const chatWords = [{ type: 'text' as const, text: '請點 https://evil.example' }]
const mailWords = { subject: '急', html: ['<p>請點</p>'], text: ['請點'] }
const somebody = `U${'0'.repeat(32)}`

/** Takes the approval of a message away, as if its rows had been written by something else than an approval. */
const unapprove = (id: string) =>
  sql`delete from audit where object_id = ${id} and action = 'approve'`.execute(database.db)

/** How many calls and mails the far ends have accepted. */
const arrived = async () =>
  (await fixture.chat.journal()).filter(({ status }) => status === 200).length +
  (await fixture.mail.journal()).length

/** A run that has something to say, of a version with these columns. */
async function aboutToSpeak(version: Updateable<ScenarioVersionTable>, run: { test?: boolean } = {}) {
  const content = { ...conversation, farewell: { 'zh-TW': '再見' } }
  const scenario = await insertScenario(database.db, { categoryId: 'chats', content })
  const changed = { state: 'in_force' as const, ...version }
  await updateRows(database.db, 'scenario_version', { scenario_id: scenario.id }, changed)
  const id = await insertScenarioRun(database.db, { scenario, columns: { node: 'hello', ...run } })
  await advanceRun(fixture.delivery.services, id)
  return id
}

/** Tries to say what a run has to say; what became of its turns. */
async function trySend(id: string) {
  await sendTurn(fixture.delivery, activityAttempt(), id)
  const turns = database.db.selectFrom('turn').select(['state', 'reason']).where('run_id', '=', id)
  return turns.execute()
}

const says = (id: string, saying: object) =>
  updateRows(database.db, 'turn', { run_id: id }, { says: JSON.stringify([saying]) })

const unsaid = [{ state: 'failed', reason: 'not_approved' }]
const forged = (content: unknown) => ({ content, clearance: { kind: 'own', sentence: 'over' } }) as never

/** Each way out: plants what nobody answers for, tries to make it leave, and says what became of it. */
const ways: Record<string, (before: () => Promise<void>) => Promise<void>> = {
  async 'a message by chat'() {
    const send = await startedSend(fixture, tag, { categoryId: 'chats', messages: words })
    await unapprove(send.id)
    await sendAll(fixture, send, 'chat')
    expect(await tallyOf(fixture, send)).toEqual({ 'chat failed not_approved': 2 })
  },
  async 'a message by mail'() {
    const send = await startedSend(fixture, tag, { categoryId: 'letters', messages: words })
    await unapprove(send.id)
    await sendAll(fixture, send, 'email')
    expect(await tallyOf(fixture, send)).toEqual({ 'email failed not_approved': 2 })
  },
  async 'a message whose words were submitted anew after the approval'() {
    const send = await startedSend(fixture, tag, { categoryId: 'chats', messages: words })
    await sql`insert into audit (actor, action, object_kind, object_id)
      values ('person:x', 'submit', 'message', ${send.id})`.execute(database.db)
    await sendAll(fixture, send, 'chat')
    expect(await tallyOf(fixture, send)).toEqual({ 'chat failed not_approved': 2 })
  },
  async 'a message that a schedule made, sent in one step'() {
    const send = await approvedSend(fixture, tag, { categoryId: 'chats', messages: words })
    await sql`update message set origin = 'schedule' where id = ${send.id}`.execute(database.db)
    await unapprove(send.id)
    await runUntilWait(fixture, send.id)
    expect(await tallyOf(fixture, send)).toEqual({ 'chat failed not_approved': 2 })
  },
  async 'a reminder'(before) {
    const remindAt = new Date(Date.now() + 86_400_000).toISOString()
    const { id } = await approvedSend(fixture, tag, { categoryId: 'chats', messages: words, remindAt })
    await runUntilWait(fixture, id)
    await before()
    await unapprove(id)
    await sql`update message set remind_at = clock_timestamp() where id = ${id}`.execute(database.db)
    await runUntilWait(fixture, id)
    const reminder = database.db.selectFrom('wave').select('id').where('message_id', '=', id)
    const { id: waveId } = await reminder.where('number', '=', 1).executeTakeFirstOrThrow()
    expect(await tallyOf(fixture, { id, waveId })).toEqual({ 'chat failed not_approved': 2 })
  },
  async 'a turn of a version that nobody approved'() {
    expect(await trySend(await aboutToSpeak({ decided_by: null }))).toEqual(unsaid)
  },
  async 'a turn of a rejected version'() {
    expect(await trySend(await aboutToSpeak({ state: 'rejected', decided_by: 'person:x' }))).toEqual(unsaid)
  },
  async 'a free reply to what a person said'() {
    const id = await aboutToSpeak({ decided_by: null })
    const { subject_id: subjectId } = await scenarioRunRow(database.db, id)
    const addresses = database.db.selectFrom('address').select('address').where('subject_id', '=', subjectId!)
    const { address } = await addresses.executeTakeFirstOrThrow()
    const replyToken = fixture.chat.issueReplyToken(address)
    await storeEvent(database, address, { type: 'message', replyToken })
    expect(await trySend(id)).toEqual(unsaid)
  },
  async 'words in the place of a node that the version has not'() {
    const id = await aboutToSpeak({})
    await says(id, { node: 'ghost', messages: words })
    expect(await trySend(id)).toEqual(unsaid)
  },
  async 'a farewell other than that of the version'() {
    const id = await aboutToSpeak({})
    await says(id, { node: '(farewell)', messages: words })
    expect(await trySend(id)).toEqual(unsaid)
  },
  async 'the texts of a pattern that is a draft'() {
    const { services, producer, unit } = fixture
    const { scenarioId } = await createPattern(services, producer, newPattern({ categoryId: 'chats' }))
    const scenario = { id: scenarioId, unitId: unit.id, categoryId: 'chats', version: 1 as const }
    const id = await insertScenarioRun(database.db, { scenario, columns: { node: 'start' } })
    await advanceRun(fixture.delivery.services, id)
    expect(await trySend(id)).toEqual(unsaid)
  },
  async 'a test that a key starts'() {
    const run = await aboutToSpeak({ state: 'draft', decided_by: null }, { test: true })
    expect(await trySend(run)).toEqual(unsaid)
  },
  async 'a reply in a handoff that nobody wrote there'() {
    const { id, subjectId } = await openWith(database.db, fixture.unit.id)
    const turn = { handoff_id: id, number: 1, first_node: '', last_node: '', unit_id: fixture.unit.id }
    await database.db
      .insertInto('turn')
      .values({ ...turn, subject_id: subjectId, answers_person: true, locale: 'zh-TW' })
      .execute()
    await sql`update turn set says = ${JSON.stringify([{ node: '', messages: words }])}
      where handoff_id = ${id}`.execute(database.db)
    expect(await sendNextReply(fixture.delivery)).toBe(true)
    const turns = database.db.selectFrom('turn').select(['state', 'reason']).where('handoff_id', '=', id)
    expect(await turns.execute()).toEqual(unsaid)
  },
  async 'a reply in a handoff that is not in the audit log'() {
    const { id: handoffId, subjectId } = await openWith(database.db, fixture.unit.id)
    const reply = { handoffId, subjectId, actor: 'person:x', says: [{ node: '', messages: words }] }
    const call = { idempotencyKey: null, bodyHash: Buffer.alloc(32), words: null }
    await database.db.transaction().execute((trx) => insertReply(trx, { ...reply, ...call }))
    expect(await sendNextReply(fixture.delivery)).toBe(true)
    const turns = database.db
      .selectFrom('turn')
      .select(['state', 'reason'])
      .where('handoff_id', '=', handoffId)
    expect(await turns.execute()).toEqual(unsaid)
  },
  async 'a test message to somebody else'() {
    const client = connectChat({ baseUrl: fixture.chat.url, token })
    const content = Cleared.byMember(chatWords, { by: 'person:x', to: somebody })
    const call = { retryKey: randomUUID(), messageId: randomUUID(), waveId: randomUUID(), test: true }
    const to = { subjectId: randomUUID(), address: `U${'1'.repeat(32)}` }
    const push = byCall((one) => sendChat(client, one))
    await expect(sendToOne(push, { ...call, content, to })).rejects.toThrow('one person alone')
    const letter = Cleared.byMember(mailWords, { by: 'person:x', to: 'own@example.edu' })
    const other = { ...to, address: 'other@example.edu' }
    const outcome = await sendToOne(mailSender(fixture.mail.port), { ...call, content: letter, to: other })
    expect(outcome).toMatchObject({ kind: 'refused', code: 'content' })
  },
  async 'a push that no maker made'() {
    const client = connectChat({ baseUrl: fixture.chat.url, token })
    const call = { to: [somebody], content: forged(chatWords), retryKey: randomUUID() }
    expect(() => sendChat(client, call)).toThrow(TypeError)
  },
  async 'a reply by token that no maker made'() {
    const client = connectChat({ baseUrl: fixture.chat.url, token })
    const replyToken = fixture.chat.issueReplyToken(somebody)
    expect(() => replyChat(client, { replyToken, content: forged(chatWords) })).toThrow(TypeError)
  },
  async 'a mail that no maker made'() {
    const to = [{ subjectId: randomUUID(), address: 'lin@example.edu' }]
    const mailing = { content: forged(mailWords), messageId: randomUUID(), waveId: randomUUID(), to }
    const [outcome] = await mailSender(fixture.mail.port).send(mailing, () => true)
    expect(outcome).toMatchObject({ kind: 'refused', code: 'content' })
  },
  async 'words back to a tap that nobody wrote'() {
    const event = { payload: { replyToken: 'token' }, occurredAt: new Date() } as never
    const acknowledgement = { text: { 'zh-TW': '請點 https://evil.example' }, approval: null }
    const message = { acknowledgement, locale: 'zh-TW' as const, sender: null }
    expect(replyTo(event, message, { kind: 'answered', label: { 'zh-TW': '好' } })).toBeNull()
  },
  async 'the page of a mail, and the inbox'(before) {
    const send = await startedSend(fixture, tag, { categoryId: 'letters', messages: words })
    await sendAll(fixture, send, 'email')
    await before()
    const sent = database.db.selectFrom('delivery').select('subject_id').where('wave_id', '=', send.waveId)
    const { subject_id: subjectId } = await sent.executeTakeFirstOrThrow()
    await unapprove(send.id)
    expect(await findSentMail(database.db, { waveId: send.waveId, subjectId })).toBeUndefined()
    const inbox = await listInbox(database.db, { subjectId, unread: false, after: null, limit: 100 })
    expect(inbox.find(({ messageId }) => messageId === send.id)).toMatchObject({ messages: null })
  },
  async 'the page of a mail of a conversation'() {
    const id = await aboutToSpeak({ decided_by: null })
    const mailed = {
      ...{
        channel: 'email' as const,
        address: 'lin@example.edu',
        by: 'mail' as const,
        state: 'sent' as const,
      },
      ...{ content: JSON.stringify(mailWords), retry_key: randomUUID() },
      ...{ first_try_at: new Date(), closed_at: new Date() },
    }
    const turn = await database.db
      .updateTable('turn')
      .set(mailed)
      .where('run_id', '=', id)
      .returning(['id', 'subject_id'])
      .executeTakeFirstOrThrow()
    const link = { turnId: turn.id, subjectId: turn.subject_id! }
    expect(await findTurnMail(database.db, link)).toBeUndefined()
  },
}

it.each(Object.entries(ways))('%s does not leave if nobody answers for it', async (_, way) => {
  let before = 0
  await way(async () => {
    before = await arrived()
  })
  expect(await arrived()).toBe(before)
})

afterAll(() => console.log(`${Object.keys(ways).length} ways out were tried without an approval`))

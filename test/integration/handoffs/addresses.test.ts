import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { writePeople } from '../../../src/services/imports/write.ts'
import { avatarEvent, chatAddress, textsOf } from '../../fixtures/handoffs.ts'
import { event, startWebhookApi } from '../../fixtures/webhooks.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(() => startWebhookApi({ avatarUnit: 'Admissions' }))

const directory = () => ({ key: api.keys.administrative })
const bind = async (uid: string, address: string) =>
  (await api.call('bindAddress', { ...directory(), id: uid, body: { address } })).body.subjectId as string
const unbind = (uid: string) => api.call('unbindAddress', { ...directory(), id: uid })
const write = (address: string, text: string) =>
  event('message', address, { message: { type: 'text', text } })
const handoffsOf = async (conversationId: string) => {
  const { db } = api.database
  const query = db.selectFrom('handoff').select('id').where('conversation_id', '=', conversationId)
  const ids = await query.orderBy('id').execute()
  return Promise.all(ids.map(async ({ id }) => (await api.call('getHandoff', { ...reader(), id })).body))
}
const reader = () => ({ session: api.sessions.editor })

/** Somebody new, of whom the assistant has opened a handoff, in which they have spoken. */
async function opened() {
  const [uid, address] = [randomUUID(), chatAddress()]
  await bind(uid, address)
  const of = { channelUser: address, conversationId: randomUUID() }
  await api.avatarHappens(avatarEvent({ ...of, text: '我的成績' }))
  return { uid, address, of, conversationId: of.conversationId }
}

const ended = { state: 'closed', reason: 'unbound', closedBy: { id: 'system:run' } }

describe('a handoff of the assistant', () => {
  it('ends when its chat address is unbound, and that is audited', async () => {
    const { uid, conversationId } = await opened()
    await unbind(uid)
    const [handoff] = await handoffsOf(conversationId)
    expect(handoff).toMatchObject({ ...ended, uid })
    const query = { objectKind: 'handoff', objectId: handoff.id }
    const { items } = (await api.call('listAudit', { session: api.sessions.approver, query })).body
    expect(items).toContainEqual(
      expect.objectContaining({
        action: 'close',
        reason: 'unbound',
        by: expect.objectContaining({ id: 'system:run' }),
      }),
    )
  })

  it('hears nothing of who has its chat address afterwards, who gets one of their own', async () => {
    const { uid, address, of, conversationId } = await opened()
    await unbind(uid)
    const other = randomUUID()
    await bind(other, address)
    const event = avatarEvent({ ...of, type: 'message', text: '別人' })
    await api.avatarHappens(event)
    expect(await api.outcomeOf(event)).toBe('no_handoff')
    await api.happens(write(address, '也是別人'))
    await api.avatarHappens(avatarEvent({ ...of, text: '我是新的' }))
    const [first, second, ...more] = await handoffsOf(conversationId)
    expect(first).toMatchObject({ ...ended, uid })
    expect(textsOf(first)).toEqual(['我的成績'])
    expect(second).toMatchObject({ state: 'open', uid: other })
    expect(textsOf(second)).toEqual(['我是新的'])
    expect(more).toEqual([])
  })

  it('ends when its person has another chat address, bound or imported', async () => {
    const [bound, imported] = [await opened(), await opened()]
    await bind(bound.uid, chatAddress())
    const person = { uid: imported.uid, chat: chatAddress() }
    await api.database.db
      .transaction()
      .execute((trx) => writePeople(trx, [{ line: 1, person }], { ref: null, hashOf: () => null as never }))
    for (const { conversationId } of [bound, imported])
      expect(await handoffsOf(conversationId)).toMatchObject([ended])
  })

  it('goes on when the same address is bound again', async () => {
    const { uid, address, conversationId } = await opened()
    await bind(uid, address)
    expect(await handoffsOf(conversationId)).toMatchObject([{ state: 'open', uid }])
  })

  it('that was opened while the address moved ends with the first word of the next person', async () => {
    const { uid, address, of, conversationId } = await opened()
    await unbind(uid)
    const other = randomUUID()
    await bind(other, address)
    await api.database.db
      .updateTable('handoff')
      .set({ closed_at: null, closed_by: null, end_reason: null })
      .where('conversation_id', '=', conversationId)
      .execute()
    await api.avatarHappens(avatarEvent({ ...of, text: '我是新的' }))
    const [first, second] = await handoffsOf(conversationId)
    expect(first).toMatchObject({ state: 'closed', reason: 'unbound' })
    expect(textsOf(first)).toEqual(['我的成績'])
    expect(second).toMatchObject({ state: 'open', uid: other })
  })
})

describe('what somebody said before their address moved', () => {
  it('stands in no handoff of the next person, though it is applied afterwards', async () => {
    const { uid, address, of, conversationId } = await opened()
    const unprocessed = avatarEvent({ ...of, type: 'message', text: '給承辦人' })
    expect((await api.postAvatar(unprocessed)).body).toEqual({ stored: 1 })
    await api.postEvents(write(address, '也給承辦人'))
    await unbind(uid)
    const other = randomUUID()
    const subjectId = await bind(other, address)
    const { db } = api.database
    const theirs = {
      unit_id: api.units.a,
      conversation_id: randomUUID(),
      subject_id: subjectId,
      channel_user: address,
    }
    await db.insertInto('handoff').values(theirs).execute()
    await api.processAll()
    const [before] = await handoffsOf(conversationId)
    expect(textsOf(before)).toEqual(['我的成績'])
    const [after] = await handoffsOf(theirs.conversation_id)
    expect(textsOf(after)).toEqual([])
  })
})

describe('a handoff with a chat address that nobody had', () => {
  it('belongs to the first who binds it, whoever has it later', async () => {
    const [first, later] = [randomUUID(), randomUUID()]
    const of = { channelUser: chatAddress(), conversationId: randomUUID() }
    await api.avatarHappens(avatarEvent({ ...of, text: '還沒綁定' }))
    await bind(first, of.channelUser)
    expect(await handoffsOf(of.conversationId)).toMatchObject([{ state: 'open', uid: first }])
    await unbind(first)
    await bind(later, of.channelUser)
    const exported = async (id: string) =>
      (await api.call('exportSubject', { ...directory(), id })).body.records.handoff_message
    expect(await exported(first)).toMatchObject([{ text: '還沒綁定' }])
    expect(await exported(later)).toEqual([])
    await api.call('eraseSubject', { ...directory(), id: first })
    expect(
      await api.database.db
        .selectFrom('handoff_message')
        .where('text', '=', '還沒綁定')
        .select('id')
        .execute(),
    ).toEqual([])
  })
})

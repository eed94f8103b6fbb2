import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { avatarEvent, chatAddress, textsOf } from '../../fixtures/handoffs.ts'
import { auditRows, selectRow, updateRows } from '../../fixtures/rows.ts'
import { event, signature, startWebhookApi, webhookSecrets } from '../../fixtures/webhooks.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(() => startWebhookApi({ avatarUnit: 'Admissions' }))

const list = async (query = {}) => (await api.call('listHandoffs', { key: api.keys.individual, query })).body
const read = async (id: string) => (await api.call('getHandoff', { key: api.keys.individual, id })).body
const newest = async () => read((await list()).items[0].id)
/** A chat address bound to a person. */
const bound = async (uid: string) => {
  const { db } = api.database
  const address = chatAddress()
  const { id } = await api.person(uid)
  await updateRows(db, 'address', { subject_id: id, channel: 'chat' }, { address })
  return { subjectId: id, address }
}

describe('a handoff of the assistant', () => {
  it('is opened, takes what the person says, and is taken back', async () => {
    const { subjectId, address } = await bound('s1')
    const of = { channelUser: address, conversationId: randomUUID() }
    await api.avatarHappens(
      avatarEvent({ ...of, text: '我想找真人客服' }),
      avatarEvent({ ...of, type: 'message', text: '在嗎' }),
    )
    const open = await newest()
    expect(open).toMatchObject({
      ...{ unitId: api.units.a, state: 'open', openedBy: 'assistant', uid: 's1', subjectId, omitted: 0 },
      ...{ conversationId: of.conversationId, runId: null, closedBy: null, reason: null },
    })
    expect(textsOf(open)).toEqual(['我想找真人客服', '在嗎'])
    await api.avatarHappens(avatarEvent({ ...of, type: 'closed' }))
    expect(await read(open.id)).toMatchObject({
      ...{ state: 'closed', reason: 'assistant' },
      closedBy: { id: 'system:avatar', name: 'Conversational assistant' },
    })
  })

  it('stands in the list of its unit alone, by state', async () => {
    const of = avatarEvent()
    await api.avatarHappens(of)
    const open = (await list({ state: 'open' })).items
    expect(open[0]).toMatchObject({ conversationId: of.conversationId, subjectId: null, uid: null })
    expect(open.every(({ state }: { state: string }) => state === 'open')).toBe(true)
    const closed = (await list({ state: 'closed' })).items
    expect(closed.map(({ state }: { state: string }) => state)).toEqual(['closed'])
    expect((await list({ state: ['open', 'closed'], limit: '1' })).nextCursor).not.toBeNull()
    const other = { key: await api.newKey(api.units.b, { individualTargeting: true }) }
    expect((await api.call('listHandoffs', other)).body.items).toEqual([])
    expect((await api.call('getHandoff', { ...other, id: open[0].id })).code).toBe('not_found')
    const editor = { session: api.sessions.editor, id: open[0].id }
    expect((await api.call('getHandoff', editor)).status).toBe(200)
    expect((await api.call('getHandoff', { key: api.keys.a, id: open[0].id })).code).toBe('forbidden')
  })

  it('audits who opened, closed and read it, without a word of it', async () => {
    const of = { channelUser: chatAddress(), conversationId: randomUUID() }
    await api.avatarHappens(avatarEvent({ ...of, text: 'canary' }), avatarEvent({ ...of, type: 'closed' }))
    const { id } = await newest()
    const entries = await auditRows(api.database.db, id, 'actor', 'action', 'reason', 'details')
    expect(entries.map(({ actor, action }) => [actor.replace(/key:.*/, 'key'), action])).toEqual([
      ['system:avatar', 'open'],
      ['system:avatar', 'close'],
      ['key', 'read'],
    ])
    expect(JSON.stringify(entries)).not.toContain('canary')
  })

  it('shows the newest of a long conversation, and how much is older', async () => {
    const { db } = api.database
    const of = avatarEvent()
    await api.avatarHappens(of)
    const { id } = await newest()
    const rows = Array.from({ length: 502 }, (_, n) => ({
      ...{ handoff_id: id, text: `${n}`, webhook_event_id: randomUUID() },
    }))
    for (const one of rows) await db.insertInto('handoff_message').values(one).execute()
    const detail = await read(id)
    expect(detail.omitted).toBe(2)
    expect(textsOf(detail)).toEqual(rows.slice(2).map(({ text }) => text))
  })
})

describe('an event of the assistant', () => {
  it('counts once, and opens a conversation once until it is closed', async () => {
    const of = { channelUser: chatAddress(), conversationId: randomUUID() }
    const first = avatarEvent({ ...of, text: 'one' })
    await api.avatarHappens(first)
    expect((await api.postAvatar({ ...first, text: 'two' })).body).toEqual({ stored: 0 })
    const again = avatarEvent({ ...of, text: 'three' })
    const before = (await list()).items.length
    await api.avatarHappens(again)
    expect(await api.outcomeOf(again)).toBe('already_open')
    expect((await list()).items.length).toBe(before)
    expect(textsOf(await newest())).toEqual(['one', 'three'])
    await api.avatarHappens(avatarEvent({ ...of, type: 'closed' }), avatarEvent({ ...of, text: 'four' }))
    expect(textsOf(await newest())).toEqual(['four'])
  })

  it('about no open handoff, or another person, changes nothing', async () => {
    const of = { channelUser: chatAddress(), conversationId: randomUUID() }
    await api.avatarHappens(avatarEvent(of))
    const { conversationId } = of
    const stray = [
      avatarEvent({ type: 'message', text: 'lost' }),
      avatarEvent({ type: 'closed' }),
      avatarEvent({ conversationId, type: 'message', text: 'lost' }),
      avatarEvent({ conversationId, type: 'requested', text: 'lost' }),
    ]
    await api.avatarHappens(...stray)
    expect(await Promise.all(stray.map(api.outcomeOf))).toEqual([
      ...['no_handoff', 'no_handoff', 'no_handoff', 'wrong_recipient'],
    ])
    expect(await newest()).toMatchObject({ state: 'open', messages: [] })
  })

  it('that arrives out of order opens nothing that is over, and closes nothing that came later', async () => {
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
    const of = { channelUser: chatAddress(), conversationId: randomUUID() }
    const closedFirst = [
      avatarEvent({ ...of, type: 'closed', occurredAt: at(-4) }),
      avatarEvent({ ...of, text: 'too late', occurredAt: at(-5) }),
    ]
    await api.avatarHappens(...closedFirst)
    expect(await Promise.all(closedFirst.map(api.outcomeOf))).toEqual(['no_handoff', 'superseded'])
    const second = [
      avatarEvent({ ...of, text: 'once more', occurredAt: at(-2) }),
      avatarEvent({ ...of, type: 'closed', occurredAt: at(-3) }),
    ]
    await api.avatarHappens(...second)
    expect(await Promise.all(second.map(api.outcomeOf))).toEqual(['opened', 'superseded'])
    expect(await newest()).toMatchObject({ state: 'open', conversationId: of.conversationId })
    await api.avatarHappens(avatarEvent({ ...of, type: 'closed', occurredAt: at(-1) }))
    expect(await newest()).toMatchObject({ state: 'closed', reason: 'assistant' })
  })

  it('that fails holds back those of its person, and no others', async () => {
    const { db } = api.database
    const bad = { channelUser: chatAddress(), conversationId: randomUUID() }
    const failing = avatarEvent(bad)
    await api.postAvatar(failing)
    await updateRows(db, 'webhook_event', { event_id: failing.eventId }, { payload: 'null' })
    const behind = avatarEvent({ ...bad, type: 'message', text: 'behind' })
    const others = [avatarEvent(), avatarEvent()]
    await api.avatarHappens(behind, ...others)
    expect(await Promise.all([failing, behind, ...others].map(api.outcomeOf))).toEqual([
      ...[null, null, 'opened', 'opened'],
    ])
  })

  it('is stored with text that Postgres cannot hold replaced', async () => {
    const odd = avatarEvent({ text: 'a\u0000b\ud800' })
    await api.avatarHappens(odd)
    expect(textsOf(await newest())).toEqual(['a\ufffdb\ufffd'])
  })

  it('keeps nothing of the fields that the assistant adds', async () => {
    const added = avatarEvent({ text: '您好', mood: 'a secret', assistant: { version: 2 } })
    await api.avatarHappens(added)
    expect(textsOf(await newest())).toEqual(['您好'])
    const { payload } = await selectRow(api.database.db, 'webhook_event', { event_id: added.eventId }, [
      'payload',
    ])
    expect(JSON.stringify(payload)).not.toMatch(/mood|version/)
  })

  it('must be signed, whole, and of a known type', async () => {
    const raw = JSON.stringify(avatarEvent())
    const headers = { 'x-channel-signature': signature(webhookSecrets.chat, raw) }
    expect((await api.call('receiveAvatarWebhook', { raw, headers })).code).toBe('bad_signature')
    for (const wrong of [{ type: 'other' }, { occurredAt: 'today' }, { channelUser: '' }])
      expect((await api.postAvatar({ ...avatarEvent(), ...wrong } as never)).code).toBe('validation_error')
    expect((await api.postRaw('avatar', '[]')).code).toBe('validation_error')
  })

  it('is refused where no unit answers', async () => {
    const elsewhere = await startWebhookApi()
    expect((await elsewhere.postAvatar(avatarEvent())).code).toBe('not_configured')
    await elsewhere.close()
  })
})

describe('what a person writes in the chat', () => {
  const write = (address: string, message: object) => api.happens(event('message', address, { message }))

  it('goes to their open handoff first, and tells who they are', async () => {
    const { subjectId, address } = await bound('s2')
    await api.avatarHappens(avatarEvent({ channelUser: address }))
    const { id } = await newest()
    await api.database.db.updateTable('handoff').set({ subject_id: null }).where('id', '=', id).execute()
    await write(address, { type: 'text', text: '取消' })
    await write(address, { type: 'image', id: '1' })
    expect(await read(id)).toMatchObject({
      subjectId,
      messages: [{ from: 'person', text: '取消' }, { text: null }],
    })
    expect((await api.outcomes()).slice(-2)).toEqual(['handed_over', 'handed_over'])
  })

  it('goes there while nobody is bound to the address, too', async () => {
    const channelUser = chatAddress()
    await api.avatarHappens(avatarEvent({ channelUser }))
    await write(channelUser, { type: 'text', text: '我還沒綁定' })
    const open = await newest()
    expect(open.uid).toBeNull()
    expect(textsOf(open)).toEqual(['我還沒綁定'])
    expect((await api.outcomes()).at(-1)).toBe('handed_over')
  })

  it('goes nowhere else once it is closed', async () => {
    const { address } = await bound('s3')
    const of = { channelUser: address, conversationId: randomUUID() }
    await api.avatarHappens(avatarEvent(of), avatarEvent({ ...of, type: 'closed' }))
    await write(address, { type: 'text', text: 'hello' })
    expect((await api.outcomes()).at(-1)).toBe('recorded')
    expect((await newest()).messages).toEqual([])
  })
})

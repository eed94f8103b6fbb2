import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AvatarEvent } from '../../../src/contract/webhooks/webhook.ts'
import { avatarEvent, chatAddress } from '../../fixtures/handoffs.ts'
import {
  event,
  signature,
  startWebhookApi,
  type WebhookApi,
  webhookSecrets,
} from '../../fixtures/webhooks.ts'

let api: WebhookApi
beforeAll(async () => {
  api = await startWebhookApi({ avatarUnit: 'Admissions' })
})
afterAll(() => api.close())

const post = async (sent: AvatarEvent | string) => {
  const raw = typeof sent === 'string' ? sent : JSON.stringify(sent)
  return api.call('receiveAvatarWebhook', {
    raw,
    headers: { 'x-channel-signature': signature(webhookSecrets.avatar, raw) },
  })
}
const happens = async (...events: AvatarEvent[]) => {
  for (const one of events) expect(await post(one)).toMatchObject({ status: 200, body: { stored: 1 } })
  await api.processAll()
}
const outcomeOf = async ({ eventId }: AvatarEvent) => {
  const { db } = api.database
  const rows = db.selectFrom('webhook_event').select('outcome').where('event_id', '=', eventId)
  return (await rows.executeTakeFirstOrThrow()).outcome
}
const list = async (query = {}) => (await api.call('listHandoffs', { key: api.keys.individual, query })).body
const read = async (id: string) => (await api.call('getHandoff', { key: api.keys.individual, id })).body
const newest = async () => read((await list()).items[0].id)
const texts = ({ messages }: { messages: { text: string | null }[] }) => messages.map(({ text }) => text)
/** A chat address bound to a person. */
const bound = async (uid: string) => {
  const { db } = api.database
  const address = chatAddress()
  const { id } = await api.person(uid)
  await db
    .updateTable('address')
    .set({ address })
    .where('subject_id', '=', id)
    .where('channel', '=', 'chat')
    .execute()
  return { subjectId: id, address }
}

describe('a handoff of the assistant', () => {
  it('is opened, takes what the person says, and is taken back', async () => {
    const { subjectId, address } = await bound('s1')
    const of = { channelUser: address, conversationId: randomUUID() }
    await happens(
      avatarEvent({ ...of, text: '我想找真人客服' }),
      avatarEvent({ ...of, type: 'message', text: '在嗎' }),
    )
    const open = await newest()
    expect(open).toMatchObject({
      ...{ unitId: api.units.a, state: 'open', openedBy: 'assistant', uid: 's1', subjectId, omitted: 0 },
      ...{ conversationId: of.conversationId, runId: null, closedBy: null, endReason: null },
    })
    expect(texts(open)).toEqual(['我想找真人客服', '在嗎'])
    await happens(avatarEvent({ ...of, type: 'closed' }))
    expect(await read(open.id)).toMatchObject({
      ...{ state: 'closed', endReason: 'assistant' },
      closedBy: { id: 'system:avatar', name: 'Conversational assistant' },
    })
  })

  it('stands in the list of its unit alone, by state', async () => {
    const of = avatarEvent()
    await happens(of)
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
    await happens(avatarEvent({ ...of, text: 'canary' }), avatarEvent({ ...of, type: 'closed' }))
    const { id } = await newest()
    const entries = await api.database.db
      .selectFrom('audit')
      .select(['actor', 'action', 'reason', 'details'])
      .where('object_id', '=', id)
      .orderBy('id')
      .execute()
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
    await happens(of)
    const { id } = await newest()
    const said = Array.from({ length: 502 }, (_, n) => ({
      ...{ handoff_id: id, text: `${n}`, webhook_event_id: randomUUID() },
    }))
    for (const one of said) await db.insertInto('handoff_message').values(one).execute()
    const shown = await read(id)
    expect(shown.omitted).toBe(2)
    expect(texts(shown)).toEqual(said.slice(2).map(({ text }) => text))
  })
})

describe('an event of the assistant', () => {
  it('counts once, and opens a conversation once until it is closed', async () => {
    const of = { channelUser: chatAddress(), conversationId: randomUUID() }
    const first = avatarEvent({ ...of, text: 'one' })
    await happens(first)
    expect((await post({ ...first, text: 'two' })).body).toEqual({ stored: 0 })
    const again = avatarEvent({ ...of, text: 'three' })
    const before = (await list()).items.length
    await happens(again)
    expect(await outcomeOf(again)).toBe('already_open')
    expect((await list()).items.length).toBe(before)
    expect(texts(await newest())).toEqual(['one', 'three'])
    await happens(avatarEvent({ ...of, type: 'closed' }), avatarEvent({ ...of, text: 'four' }))
    expect(texts(await newest())).toEqual(['four'])
  })

  it('about no open handoff, or another person, changes nothing', async () => {
    const of = { channelUser: chatAddress(), conversationId: randomUUID() }
    await happens(avatarEvent(of))
    const { conversationId } = of
    const stray = [
      avatarEvent({ type: 'message', text: 'lost' }),
      avatarEvent({ type: 'closed' }),
      avatarEvent({ conversationId, type: 'message', text: 'lost' }),
      avatarEvent({ conversationId, type: 'requested', text: 'lost' }),
    ]
    await happens(...stray)
    expect(await Promise.all(stray.map(outcomeOf))).toEqual([
      ...['no_handoff', 'no_handoff', 'no_handoff', 'not_theirs'],
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
    await happens(...closedFirst)
    expect(await Promise.all(closedFirst.map(outcomeOf))).toEqual(['no_handoff', 'superseded'])
    const second = [
      avatarEvent({ ...of, text: 'once more', occurredAt: at(-2) }),
      avatarEvent({ ...of, type: 'closed', occurredAt: at(-3) }),
    ]
    await happens(...second)
    expect(await Promise.all(second.map(outcomeOf))).toEqual(['opened', 'superseded'])
    expect(await newest()).toMatchObject({ state: 'open', conversationId: of.conversationId })
    await happens(avatarEvent({ ...of, type: 'closed', occurredAt: at(-1) }))
    expect(await newest()).toMatchObject({ state: 'closed', endReason: 'assistant' })
  })

  it('that fails holds back those of its person, and no others', async () => {
    const { db } = api.database
    const bad = { channelUser: chatAddress(), conversationId: randomUUID() }
    const failing = avatarEvent(bad)
    await post(failing)
    await db
      .updateTable('webhook_event')
      .set({ payload: 'null' })
      .where('event_id', '=', failing.eventId)
      .execute()
    const behind = avatarEvent({ ...bad, type: 'message', text: 'behind' })
    const others = [avatarEvent(), avatarEvent()]
    await happens(behind, ...others)
    expect(await Promise.all([failing, behind, ...others].map(outcomeOf))).toEqual([
      ...[null, null, 'opened', 'opened'],
    ])
  })

  it('is stored with text that Postgres cannot hold replaced', async () => {
    const odd = avatarEvent({ text: 'a\u0000b\ud800' })
    await happens(odd)
    expect(texts(await newest())).toEqual(['a\ufffdb\ufffd'])
  })

  it('must be signed, whole, and of a known type', async () => {
    const raw = JSON.stringify(avatarEvent())
    const headers = { 'x-channel-signature': signature(webhookSecrets.chat, raw) }
    expect((await api.call('receiveAvatarWebhook', { raw, headers })).code).toBe('bad_signature')
    for (const wrong of [{ type: 'other' }, { occurredAt: 'today' }, { channelUser: '' }, { more: 1 }])
      expect((await post({ ...avatarEvent(), ...wrong } as never)).code).toBe('validation_error')
    expect((await post('[]')).code).toBe('validation_error')
  })

  it('is refused where no unit answers', async () => {
    const elsewhere = await startWebhookApi()
    const raw = JSON.stringify(avatarEvent())
    const headers = { 'x-channel-signature': signature(webhookSecrets.avatar, raw) }
    expect((await elsewhere.call('receiveAvatarWebhook', { raw, headers })).code).toBe('not_configured')
    await elsewhere.close()
  })
})

describe('what a person writes in the chat', () => {
  const write = (address: string, message: object) => api.happens(event('message', address, { message }))

  it('goes to their open handoff first, and tells who they are', async () => {
    const { subjectId, address } = await bound('s2')
    await happens(avatarEvent({ channelUser: address }))
    const { id } = await newest()
    await api.database.db.updateTable('handoff').set({ subject_id: null }).where('id', '=', id).execute()
    await write(address, { type: 'text', text: '取消' })
    await write(address, { type: 'image', id: '1' })
    expect(await read(id)).toMatchObject({
      subjectId,
      messages: [{ by: 'person', text: '取消' }, { text: null }],
    })
    expect((await api.outcomes()).slice(-2)).toEqual(['handed_over', 'handed_over'])
  })

  it('goes there while nobody is bound to the address, too', async () => {
    const channelUser = chatAddress()
    await happens(avatarEvent({ channelUser }))
    await write(channelUser, { type: 'text', text: '我還沒綁定' })
    const open = await newest()
    expect(open.uid).toBeNull()
    expect(texts(open)).toEqual(['我還沒綁定'])
    expect((await api.outcomes()).at(-1)).toBe('handed_over')
  })

  it('goes nowhere else once it is closed', async () => {
    const { address } = await bound('s3')
    const of = { channelUser: address, conversationId: randomUUID() }
    await happens(avatarEvent(of), avatarEvent({ ...of, type: 'closed' }))
    await write(address, { type: 'text', text: 'hello' })
    expect((await api.outcomes()).at(-1)).toBe('recorded')
    expect((await newest()).messages).toEqual([])
  })
})

import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { doNotRemindTap, tap } from '../../../src/channels/chat/taps.ts'
import { workOffNext } from '../../../src/services/webhooks/sweep.ts'
import { delivered } from './delivered.ts'
import { newMessage } from './new-message.ts'
import { openWorld, type World } from './world.ts'

const webhookSecrets = { chat: 'chat secret', email: 'mail secret' }
const label = (text: string) => ({ 'zh-TW': text })

let world: World
beforeAll(async () => {
  world = await openWorld({ doors: { mock: false, webhookSecrets } })
})
beforeEach(() => workOffAll())
afterAll(() => world.close())

const signature = (secret: string, raw: string) => createHmac('sha256', secret).update(raw).digest('base64')
const services = () => ({ db: world.database.db, log: { warn() {} } }) as never

/** Works off what waits; several at once, as several workers do. */
async function workOffAll() {
  const worker = async () => {
    while (await workOffNext(services()));
  }
  await Promise.all([worker(), worker(), worker()])
}

function event(type: string, userId: string, more: object = {}) {
  return {
    ...{ type, webhookEventId: randomUUID(), timestamp: Date.now(), mode: 'active' },
    ...{ source: { type: 'user', userId }, deliveryContext: { isRedelivery: false } },
    ...more,
  }
}

const postback = (userId: string, data: unknown) =>
  event('postback', userId, { postback: { data: typeof data === 'string' ? data : JSON.stringify(data) } })

async function tell(...events: object[]) {
  const raw = JSON.stringify({ destination: 'U1', events })
  const headers = { 'x-line-signature': signature(webhookSecrets.chat, raw) }
  return world.call('receiveChatWebhook', { raw, headers })
}

async function happens(...events: object[]) {
  await tell(...events)
  await workOffAll()
}

const stored = () =>
  world.database.db
    .selectFrom('webhook_event')
    .select(['type', 'outcome', 'address', 'subject_id'])
    .orderBy('id')
const outcomes = async () => (await stored().execute()).map(({ outcome }) => outcome)
const last = async () => (await outcomes()).at(-1)

async function person(uid: string) {
  const { db } = world.database
  return db
    .selectFrom('subject')
    .innerJoin('address', 'address.subject_id', 'subject.id')
    .select([
      'subject.id',
      'acquisition_source as source',
      'blocked_at as blocked',
      'suppressed_at as suppressed',
    ])
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()
}

const answers = (messageId: string) =>
  world.database.db
    .selectFrom('message_answer')
    .select(['n', 'o', 'option_id', 'channel'])
    .where('message_id', '=', messageId)
    .orderBy('n')
    .orderBy('o')
    .execute()

describe('a webhook', () => {
  const raw = JSON.stringify({ events: [] })

  it('is signed over its bytes, with the provider’s header or ours', async () => {
    const right = signature(webhookSecrets.chat, raw)
    const knock = async (headers: Record<string, string>, bytes = raw) =>
      (await world.call('receiveChatWebhook', { raw: bytes, headers })).code
    expect(await knock({ 'x-line-signature': right })).toBeNull()
    expect(await knock({ 'x-channel-signature': right })).toBeNull()
    expect(await knock({ 'x-channel-signature': right }, `${raw} `)).toBe('bad_signature')
    for (const wrong of ['', 'x', right.slice(1), `${right}=`, signature('other', raw)])
      expect(await knock({ 'x-channel-signature': wrong })).toBe('bad_signature')
    expect(await knock({})).toBe('unauthenticated')
    expect(await knock({ 'x-mock-signature': 'ok' })).toBe('unauthenticated')
    const mail = await world.call('receiveEmailWebhook', { raw, headers: { 'x-channel-signature': right } })
    expect(mail.code).toBe('bad_signature')
  })

  it('may say ok in mock mode, and needs a secret otherwise', async () => {
    const mocked = await openWorld({ doors: { mock: true } })
    const knock = async (headers: Record<string, string>) =>
      (await mocked.call('receiveChatWebhook', { raw, headers })).code
    expect(await knock({ 'x-mock-signature': 'ok' })).toBeNull()
    expect(await knock({ 'x-mock-signature': 'no' })).toBe('bad_signature')
    expect(await knock({ 'x-line-signature': signature('', raw) })).toBe('unauthenticated')
    await mocked.close()
  })

  it('without events is answered as well', async () => {
    expect((await tell()).body).toEqual({ stored: 0 })
  })

  it('is stored once, however often it comes, and kept if nobody knows its kind', async () => {
    const odd = event('messageEdited', 'Us1')
    expect((await tell(odd, odd)).body).toEqual({ stored: 1 })
    expect((await tell(odd, event('beacon', 'Unobody'))).body).toEqual({ stored: 1 })
    await workOffAll()
    expect((await outcomes()).slice(-2)).toEqual(['ignored', 'unknown_user'])
  })

  it('must be one', async () => {
    for (const wrong of ['{', '[]', '{"events":[{}]}', '{"events":[{"type":"x","timestamp":"now"}]}']) {
      const headers = { 'x-line-signature': signature(webhookSecrets.chat, wrong) }
      expect((await world.call('receiveChatWebhook', { raw: wrong, headers })).code).toBe('validation_error')
    }
  })
})

describe('whoever follows', () => {
  it('is known to have come that way, if nothing else is known, and is reached again', async () => {
    await happens(event('unfollow', 'Us1', { timestamp: 1_000 }))
    expect((await person('s1')).blocked).toBeInstanceOf(Date)
    await happens(event('follow', 'Us1', { timestamp: 2_000 }))
    expect(await person('s1')).toMatchObject({ source: 'chat_follow', blocked: null })
  })

  it('keeps how they came before', async () => {
    await world.database.db
      .updateTable('subject')
      .set({ acquisition_source: 'directory' })
      .where('uid', '=', 's2')
      .execute()
    await happens(event('follow', 'Us2'))
    expect((await person('s2')).source).toBe('directory')
  })

  it('is not blocked by what happened earlier and comes later', async () => {
    await happens(event('follow', 'Us3', { timestamp: 9_000 }))
    await happens(event('unfollow', 'Us3', { timestamp: 8_000 }))
    expect(await last()).toBe('overtaken')
    expect((await person('s3')).blocked).toBeNull()
  })

  it('and belongs to nobody we know makes nobody', async () => {
    const before = await world.database.db.selectFrom('subject').selectAll().execute()
    await happens(event('follow', 'Ustranger'))
    expect(await last()).toBe('unknown_user')
    expect(await world.database.db.selectFrom('subject').selectAll().execute()).toHaveLength(before.length)
  })
})

it('what an address did before anybody knew whose it is holds once it is bound', async () => {
  const bind = async (uid: string, address: string, body: object = {}) => {
    await world.call('bindAddress', { key: world.keys.office, id: uid, body: { address, ...body } })
    return person(uid)
  }
  await happens(event('follow', 'Uearly'), event('follow', 'Ulate', { timestamp: 1_000 }))
  await happens(event('unfollow', 'Ulate', { timestamp: 2_000 }))
  expect(await bind('early', 'Uearly')).toMatchObject({ source: 'chat_follow', blocked: null })
  const acquisition = { source: 'chat_embed' }
  expect(await bind('late', 'Ulate', { acquisition })).toMatchObject({
    source: 'chat_embed',
    blocked: expect.any(Date),
  })
})

it('one person’s events are worked off in their order, whoever does it', async () => {
  const events = Array.from({ length: 30 }, (_, n) =>
    event(n % 2 === 0 ? 'unfollow' : 'follow', 'Us1', { timestamp: 10_000 + n }),
  )
  await happens(...events)
  expect((await outcomes()).slice(-30)).not.toContain('overtaken')
  expect((await person('s1')).blocked).toBeNull()
})

it('an event that cannot be worked off is put off, and holds back those behind it', async () => {
  const { db } = world.database
  await tell(event('unfollow', 'Us1', { timestamp: 20_000 }), event('message', 'Us1'))
  await db.schema.alterTable('audit').renameTo('audit_away').execute()
  expect(await workOffNext(services())).toBe(true)
  expect(await workOffNext(services())).toBe(false)
  expect((await person('s1')).blocked).toBeNull()
  await db.schema.alterTable('audit_away').renameTo('audit').execute()
  const put = db.updateTable('webhook_event').where('tries', '=', 1).where('done_at', 'is', null)
  await put.set({ next_try_at: new Date(0) }).execute()
  await workOffAll()
  expect((await outcomes()).slice(-2)).toEqual(['blocked', 'recorded'])
  await happens(event('follow', 'Us1', { timestamp: 30_000 }))
})

describe('a tap', () => {
  const messages = [
    {
      kind: 'buttons',
      text: label('參加開放日嗎？'),
      actions: [
        { kind: 'postback', label: label('參加'), data: { v: 1, o: 'yes', a: 'do_not_remind' } },
        { kind: 'mute', label: label('不要這類'), categoryId: 'manual' },
        { kind: 'nextNode', label: label('下一步'), nodeId: 'n', optionId: 'next' },
        { kind: 'uri', label: label('網站'), url: 'https://example.edu' },
      ],
    },
    { kind: 'quickReply', text: label('幾位？'), options: [{ id: 'one', label: label('一位') }] },
  ]
  const send = (more: object = {}) => delivered(world, { ...newMessage, messages, ...more })

  it('is written down once, under the producer’s own name for the option', async () => {
    const { id } = await send()
    const again = postback('Us1', tap({ m: id }, 1, '0'))
    await happens(
      again,
      again,
      postback('Us1', tap({ m: id }, 1, '0')),
      postback('Us1', tap({ m: id }, 0, '2')),
    )
    expect(await answers(id)).toEqual([
      { n: 0, o: '2', option_id: 'next', channel: 'chat' },
      { n: 1, o: '0', option_id: 'one', channel: 'chat' },
    ])
  })

  it('on a producer’s own button is recorded and never obeyed', async () => {
    const { id } = await send()
    await happens(postback('Us1', tap({ m: id }, 0, '0')))
    expect(await answers(id)).toEqual([{ n: 0, o: '0', option_id: 'yes', channel: 'chat' }])
    const reminded = world.database.db.selectFrom('do_not_remind').where('message_id', '=', id)
    expect(await reminded.selectAll().execute()).toEqual([])
  })

  it('on a mute button switches its category off everywhere, unless it has become mandatory', async () => {
    const { id } = await send()
    const { db } = world.database
    const layer = (name: 'mandatory' | 'service') =>
      db.updateTable('category').set({ layer: name }).where('id', '=', 'manual').execute()
    await layer('mandatory')
    await happens(postback('Us2', tap({ m: id }, 0, '1')))
    await layer('service')
    await happens(postback('Us1', tap({ m: id }, 0, '1')))
    const rows = await db.selectFrom('preference').select(['subject_id', 'channel', 'enabled']).execute()
    const { id: subject_id } = await person('s1')
    expect(rows).toEqual([
      { subject_id, channel: 'chat', enabled: false },
      { subject_id, channel: 'email', enabled: false },
    ])
    expect(await answers(id)).toHaveLength(2)
  })

  it('on a group’s button adds to the group, which nothing else in the tap can name', async () => {
    const { db } = world.database
    const group = await db
      .insertInto('subject_group')
      .values({ unit_id: world.units.a, name: 'Guests', kind: 'static', legal_basis: 'consent' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const actions = [{ kind: 'addToGroup', label: label('加入'), groupId: group.id }]
    const { id } = await send({ messages: [{ kind: 'buttons', text: label('加入？'), actions }] })
    await happens(
      postback('Us1', tap({ m: id }, 0, '0')),
      postback('Us1', { ...tap({ m: id }, 0, '0'), n: '7' }),
    )
    expect(await last()).toBe('unknown_option')
    const members = await db.selectFrom('group_member').select('subject_id').execute()
    expect(members).toEqual([{ subject_id: (await person('s1')).id }])
  })

  it('that asks for no reminder is written down, for a message that was sent to them', async () => {
    const { id } = await send({ remindAt: new Date(Date.now() + 3_600_000).toISOString() })
    await happens(postback('Us1', doNotRemindTap({ m: id })))
    const rows = await world.database.db.selectFrom('do_not_remind').selectAll().execute()
    expect(rows).toEqual([{ message_id: id, subject_id: (await person('s1')).id, at: expect.any(Date) }])
  })

  it.each([
    ['that is none of ours', async () => 'hello', 'not_ours'],
    ['of a message that nobody sent', async () => tap({ m: randomUUID() }, 0, '0'), 'not_received'],
    ['on an option that is none', async () => tap({ m: (await send()).id }, 0, '9'), 'unknown_option'],
    ['on a link', async () => tap({ m: (await send()).id }, 0, '3'), 'unknown_option'],
    ['without an option', async () => ({ v: 1, m: (await send()).id }), 'unknown_option'],
    ['of a scenario', async () => tap({ s: randomUUID() }, 0, '0'), 'recorded'],
  ])('%s changes nothing', async (_, make, outcome) => {
    const data = await make()
    const before = await world.database.db.selectFrom('message_answer').selectAll().execute()
    await happens(postback('Us1', data))
    expect(await last()).toBe(outcome)
    expect(await world.database.db.selectFrom('message_answer').selectAll().execute()).toEqual(before)
  })

  it('of somebody who was not sent the message changes nothing', async () => {
    const { id, waveId } = await send()
    const { id: subjectId } = await person('s3')
    await world.database.db
      .updateTable('delivery')
      .set({ state: 'skipped' })
      .where('wave_id', '=', waveId)
      .where('subject_id', '=', subjectId)
      .execute()
    await happens(postback('Us3', tap({ m: id }, 1, '0')))
    expect(await last()).toBe('not_received')
  })

  it('comes too late once the message has expired', async () => {
    const { id } = await send({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
    await world.database.db
      .updateTable('message')
      .set({ expires_at: new Date() })
      .where('id', '=', id)
      .execute()
    await happens(postback('Us1', tap({ m: id }, 1, '0')))
    expect(await last()).toBe('over')
    expect(await answers(id)).toEqual([])
  })
})

describe('mail', () => {
  const tellMail = async (...events: object[]) => {
    const raw = JSON.stringify({ events })
    const headers = { 'x-channel-signature': signature(webhookSecrets.email, raw) }
    const answer = await world.call('receiveEmailWebhook', { raw, headers })
    await workOffAll()
    return answer
  }
  const suppressed = async () => {
    const rows = await world.database.db
      .selectFrom('address')
      .select('address')
      .where('suppressed_at', 'is not', null)
      .execute()
    return rows.map(({ address }) => address)
  }
  beforeAll(async () => {
    const { db } = world.database
    for (const uid of ['s1', 's2', 's3'])
      await db
        .insertInto('address')
        .values({ subject_id: (await person(uid)).id, channel: 'email', address: `${uid}@example.edu` })
        .execute()
  })

  it('that bounced for good, or was complained about, is the last one to that address', async () => {
    await tellMail(
      { id: '1', type: 'bounce', address: 's1@example.edu' },
      { id: '2', type: 'bounce', address: 's2@example.edu', permanent: false },
      { id: '3', type: 'bounce', address: 'nobody@example.edu' },
    )
    expect(await suppressed()).toEqual(['s1@example.edu'])
    expect((await tellMail({ id: '1', type: 'complaint', address: 's2@example.edu' })).body).toEqual({
      stored: 0,
    })
    const messageId = `<${randomUUID()}.${(await person('s3')).id}@campus.example.edu>`
    await tellMail({ id: '4', type: 'complaint', messageId })
    expect((await suppressed()).sort()).toEqual(['s1@example.edu', 's3@example.edu'])
  })

  it('says whose it was', async () => {
    expect((await tellMail({ id: '9', type: 'bounce' })).code).toBe('validation_error')
    expect((await tellMail({ id: '9', type: 'bounce', messageId: `<x.${randomUUID()}@y>` })).body).toEqual({
      stored: 1,
    })
  })
})

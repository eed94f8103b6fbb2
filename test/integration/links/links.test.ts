import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { linkSigner } from '../../../src/channels/email/links.ts'
import type { LinkTarget } from '../../../src/channels/email/wire.ts'
import { deriveKey } from '../../../src/signing.ts'
import { startApi } from '../../fixtures/api.ts'
import { updateRows } from '../../fixtures/rows.ts'
import { insertScenario } from '../../fixtures/scenario-rows.ts'
import { forFile } from '../../harness/for-file.ts'
import { spawnProcess } from '../../harness/spawn.ts'

const links = linkSigner(Buffer.alloc(32, 7))
const oneClick = 'List-Unsubscribe=One-Click'
const label = (text: string) => ({ 'zh-TW': text })
const messages = [
  {
    kind: 'buttons',
    text: label('參加開放日嗎？'),
    actions: [
      { kind: 'uri', label: label('網站'), url: 'https://example.edu' },
      { kind: 'mute', label: label('<b>不要</b>'), categoryId: 'manual' },
    ],
  },
  {
    kind: 'quickReply',
    text: label('幾位<b>？'),
    options: [
      { id: 'one', label: label('一位') },
      { id: 'two', label: label('兩位') },
    ],
  },
]
const hour = 3_600_000

let message: { id: string; waveId: string }
let subject: { id: string; uid: string }
const api = forFile(() => startApi({ services: { links } }))
beforeAll(async () => {
  message = await sent('news')
  subject = await api.database.db.selectFrom('subject').select(['id', 'uid']).executeTakeFirstOrThrow()
})

/** A submitted message with its waves, as after sending. */
async function sent(categoryId: string, more: object = {}) {
  const remindAt = new Date(Date.now() + hour / 2).toISOString()
  const body = { categoryId, messages, audience: { kind: 'all' }, remindAt, ...more }
  const headers = { 'idempotency-key': randomUUID() }
  const { id } = (await api.call('createMessage', { key: api.keys.a, headers, body })).body
  await api.call('submitMessage', { key: api.keys.a, id })
  const waveId = randomUUID()
  const wave = { message_id: id, month: '2026-11-01' }
  const waves = [
    { ...wave, id: waveId },
    { ...wave, number: 1 },
  ]
  await api.database.db.insertInto('wave').values(waves).execute()
  return { id, waveId }
}

async function aYearAgo() {
  const { id, waveId } = await sent('news')
  await sql`update wave set started_at = clock_timestamp() - interval '365 days' where id = ${waveId}`.execute(
    api.database.db,
  )
  return { id, waveId }
}

function pathTo(target: LinkTarget, waveId = message.waveId): string {
  return `/l/${links.sign({ waveId, subjectId: subject.id }, [target])[0]}`
}

const get = (url: string) => api.app.inject({ method: 'GET', url })

function post(url: string, payload = oneClick, type = 'application/x-www-form-urlencoded') {
  return api.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
}

/** All that links can change. */
async function storedChoices() {
  const { db } = api.database
  return {
    preferences: await db
      .selectFrom('preference')
      .select(['category_id', 'channel', 'enabled'])
      .where('subject_id', '=', subject.id)
      .orderBy('category_id')
      .orderBy('channel')
      .execute(),
    answers: await db.selectFrom('message_answer').select(['message_id', 'n', 'o', 'option_id']).execute(),
    notReminded: await db.selectFrom('do_not_remind').select('message_id').execute(),
  }
}

describe('the page of a link', () => {
  const every: LinkTarget[] = [
    { purpose: 'unsubscribe' },
    { purpose: 'preferences' },
    { purpose: 'do_not_remind' },
    { purpose: 'tap', n: 0, o: '1' },
    { purpose: 'tap', n: 1, o: '0' },
  ]
  const mute = { purpose: 'mute', n: 0, o: '1' } as const

  it('asks for confirmation, and changes nothing when it is viewed', async () => {
    const before = await storedChoices()
    for (const target of [...every, mute]) {
      const { statusCode, body } = await get(pathTo(target))
      expect(statusCode).toBe(200)
      expect(body).toMatch(/<form method="post"/)
    }
    expect(await storedChoices()).toEqual(before)
  })

  it('holds no other link, so that no link allows more than it was signed for', async () => {
    for (const target of every) expect((await get(pathTo(target))).body).not.toContain('/l/')
    expect((await post(pathTo({ purpose: 'unsubscribe' }), 'wanted=on')).body).not.toContain('/l/')
  })

  it('leads to the settings from a mute button that was signed for them, until its mail is a year old', async () => {
    const settings = /href="(\/l\/[^"]+)"/.exec((await get(pathTo(mute))).body)![1]!
    expect(settings).toBe(pathTo({ purpose: 'preferences' }))
    expect((await get(settings)).body).toContain('name="shown"')
    const { waveId } = await aYearAgo()
    expect((await get(pathTo(mute, waveId))).body).not.toContain('/l/')
  })

  it('loads nothing from elsewhere, runs no scripts, and is not cached', async () => {
    const { headers, body } = await get(pathTo({ purpose: 'unsubscribe' }))
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self'/)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['referrer-policy']).toBe('no-referrer')
    // Its icon is in the page itself, its style sheet comes from here.
    const others = body.replace(/<link rel="(icon" href="data:|stylesheet" href="\/assets\/)[^"]*">/g, '')
    expect(others).not.toMatch(/<script|src=|href=|url\(/)
  })

  it('shows nothing about the person but the language, and escapes the producer’s texts', async () => {
    const { body } = await get(pathTo({ purpose: 'tap', n: 1, o: '0' }))
    expect(body).toContain('幾位&lt;b&gt;？')
    expect(body).not.toContain(subject.uid)
    expect(body).not.toContain(subject.id)
    await api.database.db.updateTable('subject').set({ locale: 'en' }).where('id', '=', subject.id).execute()
    expect((await get(pathTo({ purpose: 'unsubscribe' }))).body).toContain('<html lang="en">')
    await updateRows(api.database.db, 'subject', { id: subject.id }, { locale: 'zh-TW' })
  })
})

describe('an invalid link', () => {
  const good = () => pathTo({ purpose: 'unsubscribe' })
  it.each([
    ['truncated', () => good().slice(0, -1)],
    ['with something added', () => `${good()}A`],
    ['far too long', () => `${good()}${'A'.repeat(500)}`],
    ['changed', () => good().replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    [
      'of another key',
      () =>
        `/l/${linkSigner(Buffer.alloc(32, 8)).sign({ waveId: message.waveId, subjectId: subject.id }, [{ purpose: 'unsubscribe' }])[0]}`,
    ],
    ['empty', () => '/l/'],
    ['to a wave that is gone', () => pathTo({ purpose: 'unsubscribe' }, randomUUID())],
    ['to an option that is none', () => pathTo({ purpose: 'tap', n: 0, o: '0' })],
  ])('%s: an error page, and no effect', async (_, path) => {
    const before = await storedChoices()
    for (const answer of [await get(path()), await post(path())]) {
      expect(answer.statusCode).toBe(404)
      expect(answer.headers['content-type']).toMatch(/^text\/html/)
    }
    expect(await storedChoices()).toEqual(before)
  })
})

describe('unsubscribing', () => {
  it('accepts the one-click request of a mail program, in both kinds of form, repeatedly', async () => {
    const path = pathTo({ purpose: 'unsubscribe' })
    const part =
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
    expect((await post(path)).statusCode).toBe(200)
    expect((await post(path, part, 'multipart/form-data; boundary=x')).statusCode).toBe(200)
    expect((await storedChoices()).preferences).toEqual([
      { category_id: 'news', channel: 'email', enabled: false },
    ])
  })

  it('can be undone on its page', async () => {
    const path = pathTo({ purpose: 'unsubscribe' })
    await post(path)
    expect((await get(path)).body).toContain('value="on"')
    expect((await post(path, 'wanted=on')).body).toMatch(/已重新訂閱|You are subscribed again/)
    expect((await storedChoices()).preferences).toEqual([
      { category_id: 'news', channel: 'email', enabled: true },
    ])
  })

  it('does not apply to a mandatory category, whose page has no form', async () => {
    const { waveId } = await sent('safety')
    const before = await storedChoices()
    const answer = await post(pathTo({ purpose: 'unsubscribe' }, waveId))
    expect(answer.statusCode).toBe(400)
    expect(answer.body).not.toContain('method="post"')
    expect(await storedChoices()).toEqual(before)
  })
})

describe('the links of a mail sent a year ago', () => {
  it('accept no answers', async () => {
    const { id, waveId } = await aYearAgo()
    const path = pathTo({ purpose: 'tap', n: 1, o: '0' }, waveId)
    expect((await get(path)).body).not.toContain('<form')
    expect((await post(path)).statusCode).toBe(400)
    expect((await storedChoices()).answers.map(({ message_id }) => message_id)).not.toContain(id)
  })

  it('still unsubscribe, and opt out of the reminder', async () => {
    const { id, waveId } = await aYearAgo()
    expect((await post(pathTo({ purpose: 'unsubscribe' }, waveId))).statusCode).toBe(200)
    expect((await post(pathTo({ purpose: 'do_not_remind' }, waveId))).statusCode).toBe(200)
    const { preferences, notReminded } = await storedChoices()
    expect(preferences).toContainEqual({ category_id: 'news', channel: 'email', enabled: false })
    expect(notReminded).toContainEqual({ message_id: id })
    await post(pathTo({ purpose: 'unsubscribe' }, waveId), 'wanted=on')
    await api.database.db.deleteFrom('do_not_remind').execute()
  })
})

describe('an answer', () => {
  it('is recorded once, with the producer’s own name for the option', async () => {
    const path = pathTo({ purpose: 'tap', n: 1, o: '0' })
    await Promise.all(Array.from({ length: 5 }, () => post(path)))
    expect((await storedChoices()).answers).toEqual([
      { message_id: message.id, n: 1, o: '0', option_id: 'one' },
    ])
    expect((await get(path)).body).not.toContain('<form')
  })

  it('to a question is replaced by the next one, and both pages say what was answered before', async () => {
    const [one, two] = ['0', '1'].map((o) => pathTo({ purpose: 'tap', n: 1, o }))
    await post(one!)
    const asks = (await get(two!)).body
    expect(asks).toMatch(/幾位[\s\S]*兩位[\s\S]*您先前的回覆是「一位」[\s\S]*<form/)
    expect((await post(two!)).body).toMatch(/已更改回覆[\s\S]*「一位」[\s\S]*幾位[\s\S]*兩位/)
    expect((await storedChoices()).answers).toEqual([
      { message_id: message.id, n: 1, o: '1', option_id: 'two' },
    ])
    expect((await get(one!)).body).toMatch(/您先前的回覆是「兩位」[\s\S]*<form/)
    await post(one!)
  })

  it('is rejected once the message has expired', async () => {
    const { id, waveId } = await sent('news', { expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
    await updateRows(api.database.db, 'message', { id }, { expires_at: new Date() })
    const answer = await post(pathTo({ purpose: 'tap', n: 1, o: '0' }, waveId))
    expect(answer.statusCode).toBe(400)
    expect((await storedChoices()).answers.map(({ message_id }) => message_id)).not.toContain(id)
    await post(pathTo({ purpose: 'mute', n: 0, o: '1' }, waveId)) // is possible for ever, but no answer any more
    expect(await mutedOn()).toEqual(['chat', 'email'])
    expect((await storedChoices()).answers.map(({ message_id }) => message_id)).not.toContain(id)
    await api.database.db.deleteFrom('preference').where('category_id', '=', 'manual').execute()
  })
})

/** The channels on which the category of the mute button is off. */
async function mutedOn(): Promise<string[]> {
  const { preferences } = await storedChoices()
  const off = preferences.filter(({ category_id, enabled }) => category_id === 'manual' && !enabled)
  return off.map(({ channel }) => channel)
}

describe('a mute button', () => {
  const path = () => pathTo({ purpose: 'mute', n: 0, o: '1' })
  const hidden = (body: string) =>
    [...body.matchAll(/name="(\w+)" value="(\w+)"/g)].map(([, name, value]) => `${name}=${value}`).join('&')
  const setChannels = (channels: string[]) =>
    sql`update category set channel_plan = ${JSON.stringify({ mode: 'all', channels })} where id = 'manual'`.execute(
      api.database.db,
    )

  it('says which category it turns off, and where; undoing brings back just that', async () => {
    await setChannels(['chat', 'email'])
    await sql`insert into preference values (${subject.id}, 'manual', 'email', false)`.execute(
      api.database.db,
    )
    const asks = (await get(path())).body
    expect(asks).toContain('關閉後，您不會再透過聊天收到「manual」。')
    const { body } = await post(path(), hidden(asks))
    expect(body).toContain('您不會再透過聊天收到「manual」。')
    expect(await mutedOn()).toEqual(['chat', 'email'])
    expect((await storedChoices()).answers).toContainEqual(expect.objectContaining({ n: 0, o: '1' }))
    expect((await get(path())).body).toContain('聊天和電子郵件')
    expect((await post(path(), hidden(body))).body).toContain('已重新開啟通知')
    expect(await mutedOn()).toEqual(['email'])
    await setChannels(['chat'])
  })

  it('of a mail of before, which is a tap like any other, does the same without leading to the settings', async () => {
    const { body } = await post(pathTo({ purpose: 'tap', n: 0, o: '1' }))
    expect(await mutedOn()).toContain('chat')
    expect(body).toContain('郵件最下方的「通知設定」')
    await api.database.db.deleteFrom('preference').where('category_id', '=', 'manual').execute()
  })

  it('of a category that has become mandatory changes nothing and says why', async () => {
    const { db } = api.database
    await db.updateTable('category').set({ layer: 'mandatory' }).where('id', '=', 'manual').execute()
    const answer = await post(path())
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain('這類通知無法取消')
    expect(await mutedOn()).toEqual([])
    await db.updateTable('category').set({ layer: 'service' }).where('id', '=', 'manual').execute()
  })
})

it('a recipient who opts out of the reminder is recorded once', async () => {
  const path = pathTo({ purpose: 'do_not_remind' })
  await post(path)
  await post(path)
  expect((await storedChoices()).notReminded).toEqual([{ message_id: message.id }])
  expect((await get(path)).body).not.toContain('<form')
})

it('the page of the reminder says when it comes, that it was declined, and when none is to come any more', async () => {
  const { db } = api.database
  const { id, waveId } = await sent('news')
  const path = pathTo({ purpose: 'do_not_remind' }, waveId)
  await db.updateTable('message').set({ remind_at: '2026-11-24T01:00:00Z' }).where('id', '=', id).execute()
  expect((await get(path)).body).toContain('我們會在 11 月 24 日（二）09:00 再提醒您一次這則訊息。')
  await post(path)
  expect((await get(path)).body).toContain('好的，不會再提醒您')
  await db.deleteFrom('do_not_remind').where('message_id', '=', id).execute()
  await updateRows(db, 'wave', { message_id: id, number: 1 }, { state: 'sent' })
  expect((await get(path)).body).toContain('不會再有提醒')
})

it('the links of a test mail lead to a page that explains itself', async () => {
  expect((await get('/l/sample')).statusCode).toBe(200)
})

it('the process reads the links that its SECRETS_KEY signed', async () => {
  const SECRETS_KEY = randomBytes(32).toString('base64')
  const server = await spawnProcess('api', ['src/server.ts'], {
    DATABASE_URL: api.database.url,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    PORT: '0',
    SECRETS_KEY,
  })
  await server.logged(/Server listening at/)
  const [, url] = /Server listening at (http:[^"]+)/.exec(server.log())!
  const of = { waveId: message.waveId, subjectId: subject.id }
  const [token] = linkSigner(deriveKey('links', SECRETS_KEY)).sign(of, [{ purpose: 'unsubscribe' }])
  expect((await fetch(`${url}/l/${token}`)).status).toBe(200)
  expect((await fetch(`${url}${pathTo({ purpose: 'unsubscribe' })}`)).status).toBe(404)
  expect(server.log()).not.toContain(token)
  await server.stop()
})

it('a button to a scenario that takes nobody says so, and can be pressed again', async () => {
  const { db } = api.database
  const scenario = await insertScenario(db, { unitId: api.units.a, state: 'paused' })
  const start = { kind: 'jumpScenario', label: label('開始'), scenarioId: scenario.id }
  const active = (state: 'active' | 'paused') =>
    db.updateTable('scenario').set({ state }).where('id', '=', scenario.id).execute()
  await active('active')
  const { waveId } = await sent('news', {
    messages: [{ kind: 'buttons', text: label('諮詢'), actions: [start] }],
  })
  await active('paused')
  const path = pathTo({ purpose: 'tap', n: 0, o: '0' }, waveId)
  const before = await storedChoices()
  const refused = await post(path, '')
  expect([refused.statusCode, refused.body.includes('這項服務目前沒有開放')]).toEqual([400, true])
  expect(await storedChoices()).toEqual(before)
  await active('active')
  expect((await post(path, '')).statusCode).toBe(303)
  const runs = db.selectFrom('scenario_run').select('state').where('scenario_id', '=', scenario.id)
  expect(await runs.execute()).toEqual([{ state: 'running' }])
})

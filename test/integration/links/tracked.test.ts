import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatLink, chatLinkSigner } from '../../../src/channels/chat/tracked-links.ts'
import { linkSigner } from '../../../src/channels/email/links.ts'
import { adapters } from '../../../src/channels/index.ts'
import { purgeSlice } from '../../../src/services/retention.ts'
import { eraseSubject } from '../../../src/services/subjects/erase.ts'
import { startApi } from '../../fixtures/api.ts'
import { exported } from '../../fixtures/erasure.ts'
import { producerPrincipal } from '../../fixtures/message-fixture.ts'
import { keepAll } from '../../fixtures/retention.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { forFile } from '../../harness/for-file.ts'
import { refuseWrites } from '../../harness/write-refusal.ts'

const key = Buffer.alloc(32, 7)
const [links, chatLinks] = [linkSigner(key), chatLinkSigner(key)]
const publicUrl = 'https://hub.example.edu'
const label = (zh: string, en?: string) => ({ 'zh-TW': zh, ...(en && { en }) })
const site = 'https://例え.jp/路徑?a=1&b=%20#x'
const messages = [
  {
    kind: 'buttons',
    text: label('開放日', 'Open day'),
    actions: [
      { kind: 'uri', label: label('網站', 'Site'), url: site },
      { kind: 'uri', label: label('電話', 'Phone'), url: 'tel:+886212345678' },
      { kind: 'mute', label: label('不要', 'Mute'), categoryId: 'manual' },
    ],
  },
  {
    kind: 'carousel',
    cards: [
      {
        kind: 'card',
        title: label('地圖', 'Map'),
        actions: [{ kind: 'uri', label: label('地圖', 'Map'), url: 'http://map.example.edu' }],
      },
    ],
  },
]
const location = 'https://xn--r8jz45g.jp/%E8%B7%AF%E5%BE%91?a=1&b=%20#x'

let sent: { id: string; waveId: string }
let subjects: { id: string; uid: string }[]
const api = forFile(() => startApi({ services: { links, chatLinks, publicUrl, channels: adapters } }))
beforeAll(async () => {
  const plan = JSON.stringify({ mode: 'all', channels: ['chat', 'email'] })
  await run(sql`update category set links = 'tracked', channel_plan = ${plan} where id = 'news'`)
  subjects = await api.database.db.selectFrom('subject').select(['id', 'uid']).orderBy('uid').execute()
})
beforeEach(async () => {
  sent = await insertSentMessage(api, body('news'), { channels: ['chat', 'email'] })
})

const body = (categoryId: string) => ({ categoryId, messages, audience: { kind: 'all' } })
const run = (query: ReturnType<typeof sql>) => query.execute(api.database.db)

async function draft(categoryId: string): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() }
  return (await api.call('createMessage', { key: api.keys.a, headers, body: body(categoryId) })).body.id
}
const preview = async (id: string, channel = 'chat') =>
  (await api.call('previewMessage', { key: api.keys.a, id, body: { channel, locale: 'en' } })).body

/** The path of a link as it stands in a chat message. */
function inChat(more: Partial<ChatLink> = {}): string {
  return `/l/${chatLinks.sign({ messageId: sent.id, n: 0, o: '0', locale: 'en', ...more })}`
}

/** The path of a link as it stands in the mail of the nth person. */
function inMail(person = 0, more: object = {}): string {
  const to = { waveId: sent.waveId, subjectId: subjects[person]!.id }
  return `/l/${links.sign(to, [{ purpose: 'open', n: 0, o: '0', locale: 'zh-TW', ...more }])[0]}`
}

function open(url: string, method: 'GET' | 'HEAD' | 'POST' = 'GET', headers = {}) {
  return api.app.inject({ method, url, headers })
}

async function detail(id = sent.id) {
  return (await api.call('getMessage', { key: api.keys.a, id })).body
}

describe('a category with tracked links', () => {
  it('has web links of the chat lead through Carillon, and leaves every other button as it is', async () => {
    const id = await draft('news')
    const { calls, messages: bubbles } = await preview(id)
    const uris = [...JSON.stringify(calls).matchAll(/"uri":"([^"]+)"/g)].map(([, uri]) => uri!)
    const at = (n: number, o: string) =>
      `${publicUrl}/l/${chatLinks.sign({ messageId: id, n, o, locale: 'en' })}`
    expect(uris).toEqual([at(0, '0'), 'tel:+886212345678', at(1, '0.0')])
    expect(bubbles).toEqual(messages) // an approver sees where they lead
    await api.call('submitMessage', { key: api.keys.a, id })
    expect((await preview(id)).calls).toEqual(calls)
  })

  it('shows a mail with links that lead straight to their page', async () => {
    const { html, text } = await preview(await draft('news'), 'email')
    expect(text).toContain(`→ Site\n${location}\n`)
    expect(html).toContain(`href="${location.replaceAll('&', '&amp;')}"`)
  })

  it('is needed for that: by default links lead straight to their page, and clicks are not counted', async () => {
    const id = await draft('manual')
    expect(JSON.stringify((await preview(id)).calls)).toContain(location)
    await api.call('submitMessage', { key: api.keys.a, id })
    expect((await detail(id)).clicks).toBeNull()
  })

  it('cannot be made, nor used, where the installation has no public address', async () => {
    const { services } = api
    services.publicUrl = undefined
    try {
      const wanted = { links: 'tracked' }
      const session = await adminSession()
      const answer = await api.call('adminEditCategory', { session, id: 'manual', body: wanted })
      expect(answer.code).toBe('validation_error')
      expect(answer.body.error.details.issues).toMatchObject([
        { path: 'links', message: expect.stringContaining('PUBLIC_URL') },
      ])
      const id = await draft('news')
      expect((await api.call('submitMessage', { key: api.keys.a, id })).code).toBe('not_configured')
    } finally {
      services.publicUrl = publicUrl
    }
    const session = await adminSession()
    const edited = await api.call('adminEditCategory', { session, id: 'manual', body: { links: 'tracked' } })
    expect(edited.body.links).toBe('tracked')
    await api.call('adminEditCategory', { session, id: 'manual', body: { links: 'direct' } })
  })
})

async function adminSession(): Promise<string> {
  await run(sql`update person set system_admin = true`)
  return api.newSession('editor')
}

describe('a tracked link', () => {
  it.each([
    ['of the chat', () => inChat()],
    ['of a mail', () => inMail()],
  ])('%s redirects to the page, and nobody on the way learns of it', async (_, path) => {
    const { statusCode, headers } = await open(path())
    expect(statusCode).toBe(302)
    expect(headers).toMatchObject({
      location,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    })
  })

  it('opens the page of a card, by its place', async () => {
    expect((await open(inChat({ n: 1, o: '0.0' }))).headers.location).toBe('http://map.example.edu/')
  })

  it('has no page to confirm, and takes no form', async () => {
    for (const path of [inChat(), inMail()]) expect((await open(path, 'POST')).statusCode).toBe(404)
  })

  it.each([
    ['with a letter changed', () => inChat().replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['with something added', () => `${inChat()}A`],
    ['with an address added', () => `${inChat()}?url=https://evil.example`],
    [
      'of another key',
      () =>
        `/l/${chatLinkSigner(Buffer.alloc(32, 8)).sign({ messageId: sent.id, n: 0, o: '0', locale: 'en' })}`,
    ],
    ['to a message that does not exist', () => inChat({ messageId: randomUUID() })],
    ['to a block that does not exist', () => inChat({ n: 7 })],
    ['to an action that does not exist', () => inChat({ o: '3' })],
    ['to a card that does not exist', () => inChat({ n: 1, o: '0' })],
    ['to a phone number', () => inChat({ o: '1' })],
    ['to a button that is no link', () => inChat({ o: '2' })],
    ['to a phone number, in a mail', () => inMail(0, { o: '1' })],
  ])('%s leads nowhere else', async (_, path) => {
    const { statusCode, headers } = await open(path())
    expect(headers.location === undefined || headers.location === location).toBe(true)
    expect(statusCode).toBe(path().includes('?') ? 302 : 404)
  })

  it('of a message whose links are not tracked leads nowhere', async () => {
    const { id } = await insertSentMessage(api, body('manual'))
    expect((await open(inChat({ messageId: id }))).statusCode).toBe(404)
  })

  it('of a message that nobody approved leads nowhere yet, and is not counted', async () => {
    const id = await draft('news')
    expect((await open(inChat({ messageId: id }))).statusCode).toBe(404) // nothing is frozen
    await api.call('submitMessage', { key: api.keys.a, id })
    const { statusCode, body: page } = await open(inChat({ messageId: id }))
    expect(statusCode).toBe(200)
    expect(page).toContain('This link does not work yet')
    expect(page).toContain('這個連結還不能使用')
    expect((await detail(id)).clicks['1.1'].total).toBe(0)
  })

  it('works after the message has expired, as a direct one would', async () => {
    await run(sql`update message set expires_at = now() where id = ${sent.id}`)
    expect((await open(inChat())).statusCode).toBe(302)
  })

  it('works after the category has turned to direct links, as it was sent', async () => {
    await run(sql`update category set links = 'direct' where id = 'news'`)
    expect((await open(inMail())).statusCode).toBe(302)
    await run(sql`update category set links = 'tracked' where id = 'news'`)
  })

  it('ends with the text of its message', async () => {
    await open(inChat())
    await run(sql`update message set closed_at = now() - interval '2 days' where id = ${sent.id}`)
    await purgeSlice(api.database.db, { ...keepAll, RETENTION_MESSAGES_DAYS: 1 }, new Map())
    const { statusCode, body: page } = await open(inChat())
    expect([statusCode, page.includes('連結已過期'), page.includes('This link has expired')]).toEqual([
      410,
      true,
      true,
    ])
    expect((await detail()).clicks['1.1'].total).toBe(1)
  })
})

describe('the clicks on a tracked link', () => {
  it('are counted by channel and language, and in mails each person once', async () => {
    for (const path of [inChat(), inChat({ locale: 'zh-TW' }), inMail(0), inMail(0), inMail(1)])
      await open(path)
    expect((await detail()).clicks).toEqual({
      1.1: { total: 5, byChannel: { chat: 2, email: 3 }, byLocale: { 'zh-TW': 4, en: 1 }, people: 2 },
      '2.1.1': {
        total: 0,
        byChannel: { chat: 0, email: 0 },
        byLocale: { 'zh-TW': 0, en: 0 },
        people: 0,
      },
    })
  })

  it('at the same time are all counted', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, n) => open(n % 2 ? inChat() : inMail(n % 3))))
    expect((await detail()).clicks['1.1']).toMatchObject({ total: 40, people: 3 })
  })

  it('leave out programs that only ask, and browsers that fetch ahead', async () => {
    expect((await open(inMail(), 'HEAD')).headers.location).toBe(location)
    expect((await open(inChat(), 'GET', { 'sec-purpose': 'prefetch;prerender' })).statusCode).toBe(302)
    expect((await detail()).clicks['1.1']).toMatchObject({ total: 0, people: 0 })
  })

  it('make nobody a reader', async () => {
    await open(inMail())
    const { db } = api.database
    expect(await db.selectFrom('inbox_read').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('read_signal').selectAll().execute()).toEqual([])
    expect((await detail()).answers).toEqual({})
  })

  it('keep nobody from the page when they cannot be counted', async () => {
    const allow = await refuseWrites(api.database.db, { event: 'insert', table: 'click_count', row: 'true' })
    expect((await open(inChat())).headers.location).toBe(location)
    await allow()
    expect((await detail()).clicks['1.1'].total).toBe(0)
  })

  it('are in the export of the person, and stay counted when the person is erased', async () => {
    const { id, uid } = subjects[2]!
    await open(inMail(2))
    const principal = producerPrincipal(api.units.a, { unitKind: 'administrative' })
    const { records } = await exported(api.services, principal, uid)
    expect(records.mail_click).toContainEqual(expect.objectContaining({ message_id: sent.id, n: 0, o: '0' }))
    await eraseSubject(api.services, principal, uid)
    const left = await api.database.db
      .selectFrom('mail_click')
      .selectAll()
      .where('subject_id', '=', id)
      .execute()
    expect(left).toEqual([])
    expect((await open(inMail(2))).headers.location).toBe(location)
    expect((await detail()).clicks['1.1']).toMatchObject({ total: 2, people: 1 })
  })

  it('forget who followed them after the time for which answers are kept, and keep the counts', async () => {
    await open(inMail(0))
    await run(sql`update mail_click set at = now() - interval '2 days'`)
    const purged = await purgeSlice(api.database.db, { ...keepAll, RETENTION_ANSWERS_DAYS: 1 }, new Map())
    expect(purged.mailClicks).toBeGreaterThan(0)
    expect(await api.database.db.selectFrom('mail_click').selectAll().execute()).toEqual([])
    expect((await detail()).clicks['1.1']).toMatchObject({ total: 1, people: 1 })
  })
})

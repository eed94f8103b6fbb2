import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatLinkSigner } from '../../../src/channels/chat/tracked-links.ts'
import { linkSigner } from '../../../src/channels/email/links.ts'
import { adapters } from '../../../src/channels/index.ts'
import { eraseSubject } from '../../../src/services/subjects/erase.ts'
import { stopTracing } from '../../../src/tracing/spans.ts'
import { startApi } from '../../fixtures/api.ts'
import { logLines } from '../../fixtures/log-lines.ts'
import { producerPrincipal } from '../../fixtures/message-fixture.ts'
import { recordInMemory } from '../../fixtures/recorded-spans.ts'
import { insertRow } from '../../fixtures/rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { forFile } from '../../harness/for-file.ts'
import { refuseWrites } from '../../harness/write-refusal.ts'

const { log, lines } = logLines()
const signers = (byte: number) => {
  const key = Buffer.alloc(32, byte)
  return { links: linkSigner(key), chatLinks: chatLinkSigner(key) }
}
/** Personal data that no log, metric, span or token may hold. */
const canary = {
  text: '金絲雀canary-text',
  page: 'canary-page',
  address: 'Ucanary-address',
  uid: 'canary-uid',
}
const location = `https://example.edu/${canary.page}?for=canary-name`
const buttons = (url: string) => [
  {
    kind: 'buttons',
    text: { 'zh-TW': canary.text },
    actions: [{ kind: 'uri', label: { 'zh-TW': canary.text.slice(0, 9) }, url }],
  },
]

let sent: { id: string; waveId: string }
let other: { id: string; waveId: string }
let subjectId: string
const api = forFile(() =>
  startApi({ services: { ...signers(7), publicUrl: 'https://hub.example.edu', channels: adapters, log } }),
)
beforeAll(async () => {
  const plan = JSON.stringify({ mode: 'all', channels: ['chat', 'email'] })
  await run(sql`update category set links = 'tracked', channel_plan = ${plan} where id = 'news'`)
  const { db } = api.database
  const person = { uid: canary.uid, roles: ['student' as const], stage: 'member' as const }
  ;({ id: subjectId } = await insertRow(db, 'subject', person))
  const address = { subject_id: subjectId, channel: 'chat' as const, address: canary.address }
  await db.insertInto('address').values(address).execute()
  other = await insertSentMessage(api, body())
})
beforeEach(async () => {
  sent = await insertSentMessage(api, body(), { channels: ['chat', 'email'] })
})

const run = (query: ReturnType<typeof sql>) => query.execute(api.database.db)
function body(url = location) {
  return { categoryId: 'news', messages: buttons(url), audience: { kind: 'all' } }
}

/** The tokens of the one link of a message, as in the chat and in the mail of a person. */
function tokensOf({ id, waveId }: typeof sent, { links, chatLinks } = signers(7), to = subjectId) {
  const place = { n: 0, o: '0', locale: 'zh-TW' } as const
  return {
    chat: chatLinks.sign({ messageId: id, ...place }),
    mail: links.sign({ waveId, subjectId: to }, [{ purpose: 'open', ...place }])[0]!,
  }
}

type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const ask = (token: string, method: Method = 'GET', headers = {}) =>
  api.app.inject({ method, url: `/l/${token}`, headers })
const clicks = async (id = sent.id) =>
  (await api.call('getMessage', { key: api.keys.a, id })).body.clicks['1.1'].total

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const swapped = (char: string) => alphabet[(alphabet.indexOf(char) + 32) % 64]!
/** The bytes of one token with those of another up to a place. */
function spliced(token: string, head: string, end: number): string {
  const [of, by] = [token, head].map((one) => Buffer.from(one, 'base64url'))
  return Buffer.concat([by!.subarray(0, end), of!.subarray(end)]).toString('base64url')
}

describe.each(['chat', 'mail'] as const)('a token of the %s', (kind) => {
  const token = () => tokensOf(sent)[kind]
  const chars = () => [...token()].map((char, at) => ({ char, at }))

  it.each<[string, () => string[]]>([
    ['that is cut', () => chars().map(({ at }) => token().slice(0, at))],
    [
      'that lacks its beginning',
      () =>
        chars()
          .slice(1)
          .map(({ at }) => token().slice(at)),
    ],
    [
      'with one character changed',
      () => chars().map(({ char, at }) => token().slice(0, at) + swapped(char) + token().slice(at + 1)),
    ],
    [
      'with something added',
      () =>
        [
          'A',
          'AAAA',
          '=',
          '==',
          '.',
          '/',
          '/x',
          ';a=b',
          '%00',
          '%0A',
          '%20',
          '%2F',
          '%3F',
          '@evil.example',
        ].flatMap((more) => [token() + more, more + token()]),
    ],
    ['twice', () => [token() + token(), `${token()}/${token()}`]],
    [
      'in another encoding',
      () => [
        token().toUpperCase(),
        token().toLowerCase(),
        Buffer.from(token(), 'base64url').toString('hex'),
        Buffer.from(token()).toString('base64url'),
        encodeURIComponent(encodeURIComponent(`${token()}%`)),
        [...token()].map((char) => `%25${char.charCodeAt(0).toString(16)}`).join(''),
        encodeURIComponent(
          token().replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
        ),
      ],
    ],
    ['of another installation', () => [tokensOf(sent, signers(8))[kind]]],
    [
      'with the tag of another',
      () => {
        const [mine, its] = [tokensOf(sent)[kind], tokensOf(other)[kind]]
        const { length } = Buffer.from(mine, 'base64url')
        return [20, length - 16, length - 8].flatMap((end) => [
          spliced(mine, its, end),
          spliced(its, mine, end),
        ])
      },
    ],
    ['of a message that does not exist', () => [tokensOf({ id: randomUUID(), waveId: randomUUID() })[kind]]],
  ])('%s leads nowhere and counts nothing', async (_, tokens) => {
    for (const one of tokens()) {
      const { statusCode, headers } = await ask(one)
      expect([statusCode, headers.location], one).toEqual([one === '' ? statusCode : 404, undefined])
    }
    expect([await clicks(), await clicks(other.id)]).toEqual([0, 0])
  })

  it('of another message leads to the page of that message', async () => {
    const elsewhere = await insertSentMessage(api, body('https://other.example.edu/'))
    expect((await ask(tokensOf(elsewhere)[kind])).headers.location).toBe('https://other.example.edu/')
    expect(await clicks()).toBe(0)
  })

  it.each([
    '?next=https://evil.example',
    '?url=javascript:alert(1)&location=//evil.example',
    '?%0d%0aLocation:%20https://evil.example',
    '#https://evil.example',
  ])('with %s appended leads where it led', async (more) => {
    const { statusCode, headers } = await ask(token() + more)
    expect([statusCode, headers.location]).toEqual([302, location])
  })

  it('is not led elsewhere by headers', async () => {
    const host = 'evil.example'
    const headers = {
      host,
      'x-forwarded-host': host,
      forwarded: `host=${host}`,
      'x-original-url': `//${host}`,
    }
    expect((await ask(token(), 'GET', headers)).headers.location).toBe(location)
  })

  it('can be asked about, without a click; every other method is refused', async () => {
    const head = await ask(token(), 'HEAD')
    expect([head.statusCode, head.headers.location, head.body]).toEqual([302, location, ''])
    for (const method of ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const { statusCode, headers } = await ask(token(), method, { origin: 'https://evil.example' })
      expect([statusCode >= 400, headers.location], method).toEqual([true, undefined])
      expect(headers['access-control-allow-origin'], method).toBeUndefined()
    }
    expect(await clicks()).toBe(0)
  })

  it('that a scanner follows is a click, and neither an answer nor a reader', async () => {
    const scanners = [
      'Mozilla/5.0 (compatible; SafeLinks)',
      'LINE-Poker/1.0',
      'facebookexternalhit/1.1;line-poker/1.0',
      '',
    ]
    for (const agent of scanners) await ask(token(), 'GET', { 'user-agent': agent, range: 'bytes=0-0' })
    await ask(token(), 'GET', { 'sec-purpose': 'prefetch' })
    expect(await clicks()).toBe(scanners.length)
    const { db } = api.database
    for (const table of ['inbox_read', 'read_signal', 'message_answer'] as const)
      expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([])
  })
})

describe('an address that runs code', () => {
  const urls = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
  ]

  it.each(urls)('%s is refused before anybody may send it', async (url) => {
    const headers = { 'idempotency-key': randomUUID() }
    const { body: message, code } = await api.call('createMessage', {
      key: api.keys.a,
      headers,
      body: body(url),
    })
    const refused = code ?? (await api.call('submitMessage', { key: api.keys.a, id: message.id })).code
    expect(refused).toMatch(/^(validation_error|content_violation)$/)
  })

  it.each(urls)('%s is not opened, even where the frozen content has it', async (url) => {
    await run(
      sql`update message_content set frozen = ${JSON.stringify(buttons(url))} where message_id = ${sent.id}`,
    )
    for (const token of Object.values(tokensOf(sent))) {
      const { statusCode, headers } = await ask(token)
      expect([statusCode, headers.location]).toEqual([404, undefined])
    }
  })

  it('cannot add headers to the answer', async () => {
    const url = 'https://example.edu/a\r\nSet-Cookie: a=b\r\n\r\n<script>'
    await run(
      sql`update message_content set frozen = ${JSON.stringify(buttons(url))} where message_id = ${sent.id}`,
    )
    const { headers } = await ask(tokensOf(sent).chat)
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers.location).toBe('https://example.edu/aSet-Cookie:%20a=b%3Cscript%3E')
  })
})

describe('what is personal', () => {
  const personal = (id = subjectId) => [...Object.values(canary), 'canary', id]
  const uuid = (id: string) => id.replaceAll('-', '')

  it('is not in a token: it has ids of Carillon’s own, and in the chat none of a person', async () => {
    const { chat, mail } = tokensOf(sent)
    for (const token of [chat, mail]) {
      const bytes = Buffer.from(token, 'base64url')
      const readable = [
        token,
        ...(['latin1', 'utf8', 'utf16le', 'hex'] as const).map((as) => bytes.toString(as)),
      ]
      for (const one of Object.values(canary)) expect(readable.join('\n')).not.toContain(one)
    }
    expect(Buffer.from(chat, 'base64url').toString('hex')).not.toContain(uuid(subjectId))
    expect(tokensOf(sent, signers(7), randomUUID()).chat).toBe(chat)
  })

  describe('about a request', () => {
    afterEach(() => stopTracing())

    it('is in no line of the log, no span and no metric, whatever becomes of it', async () => {
      lines.length = 0
      const spans = recordInMemory()
      const sentBy = {
        'user-agent': 'canary-agent',
        referer: 'https://mail.example/canary',
        cookie: 'a=canary',
      }
      const tokens = tokensOf(sent)
      const allow = [
        await refuseWrites(api.database.db, { event: 'insert', table: 'mail_click', row: 'true' }),
        await refuseWrites(api.database.db, { event: 'update', table: 'click_count', row: 'true' }),
      ]
      for (const token of Object.values(tokens)) {
        for (const method of ['GET', 'GET', 'HEAD', 'OPTIONS', 'POST'] as const)
          await ask(`${token}?name=canary`, method, sentBy)
        await ask(`${token}canary`, 'GET', sentBy)
      }
      for (const again of allow) await again()
      expect(lines.map(({ msg }) => msg)).toContain('A click on a tracked link was not counted')
      expect(spans.map(({ name }) => name)).toContain('GET /l/*')
      const texts = [JSON.stringify(lines), JSON.stringify(spans), await api.app.metrics.metrics()]
      for (const one of [...personal(), uuid(subjectId), ...Object.values(tokens)])
        for (const text of texts) expect(text).not.toContain(one)
    })
  })

  it('goes with an erased person: their link still opens the page, and nothing names them', async () => {
    const { mail } = tokensOf(sent)
    await ask(mail)
    const principal = producerPrincipal(api.units.a, { unitKind: 'administrative' })
    await eraseSubject(api.services, principal, canary.uid)
    lines.length = 0
    const { statusCode, headers } = await ask(mail)
    expect([statusCode, headers.location]).toEqual([302, location])
    expect(await clicks()).toBe(2)
    const { db } = api.database
    const rows = [
      ...(await db.selectFrom('mail_click').selectAll().execute()),
      ...(await db.selectFrom('click_count').selectAll().execute()),
    ]
    expect(JSON.stringify([rows, lines])).not.toContain(subjectId)
  })
})

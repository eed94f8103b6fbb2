import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { forConsole } from '../../fixtures/console.ts'
import { mainOf, press, textOf } from '../../fixtures/pages.ts'
import type { SignInFixture } from '../../fixtures/sign-in.ts'
import { signedIn } from '../../fixtures/sign-in-browser.ts'
import { beginWriting } from '../../fixtures/written-form.ts'

let api: SignInFixture['api']
let base: string
const fixture = forConsole()
beforeAll(() => {
  ;({ api, baseUrl: base } = fixture)
})

const question = {
  kind: 'quickReply',
  text: { 'zh-TW': '您會來嗎？', en: 'Will you come?' },
  options: [
    { id: 'yes', label: { 'zh-TW': '會', en: 'I will' } },
    { id: 'no', label: { 'zh-TW': '不會', en: 'I will not' } },
  ],
}

async function draft(title: string, parts: object = {}): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() }
  const messages = [{ kind: 'text', text: { 'zh-TW': `${title}（中文）`, en: title } }, question]
  const audience = { kind: 'query', roles: ['student'] }
  const body = { categoryId: 'manual', messages, audience, ...parts }
  return (await api.call('createMessage', { key: api.keys.a, headers, body })).body.id
}
async function submitted(title: string, parts: object = {}): Promise<string> {
  const id = await draft(title, parts)
  await api.call('submitMessage', { key: api.keys.a, id })
  return id
}
const stateOf = async (id: string) =>
  (await api.call('getMessage', { session: api.sessions.approver, id })).body.state
const approver = () => signedIn(api.sessions.approver)
const editor = () => signedIn(api.sessions.editor)
const open = (path: string, browser = approver()) => browser.open(`${base}${path}`)

describe('the list of messages', () => {
  it('has a row for each, with its state in words, and leads to its page', async () => {
    const id = await submitted('Library <closes> early')
    const page = await open('/messages')
    expect(page.response.status).toBe(200)
    expect(textOf(page)).toMatch(/Library <closes> early To be approved 3 .* test/)
    expect(page.text).toContain(`href="/messages/${id}"`)
    expect(page.text).toContain('aria-current="page">Messages</a>')
  })

  it('filters by state and finds words of a title, an id and a reference', async () => {
    const [sports, reference] = ['Sports day 100% sure', randomUUID()]
    const id = await submitted(sports, { reference })
    const other = await draft('Choir rehearsal')
    for (const q of ['sports DAY', '100%', id, reference]) {
      const words = textOf(await open(`/messages?${new URLSearchParams({ q })}`))
      expect(words, q).toContain(sports)
      expect(words, q).not.toContain('Choir rehearsal')
    }
    expect(textOf(await open('/messages?q=100%25x'))).toContain('No message matches.')
    const drafts = textOf(await open('/messages?state=draft'))
    expect(drafts).toContain('Choir rehearsal')
    expect(drafts).not.toContain(sports)
    expect((await open(`/messages?state=draft&q=${other}`)).text).toContain(`/messages/${other}`)
  })

  it('goes on to older ones, and says where it has none', async () => {
    for (let n = 0; n < 52; n++) await draft(`Row ${n}`)
    const first = await open('/messages?q=Row')
    const next = /href="(\/messages\?[^"]*cursor[^"]*)"/.exec(first.text)![1]!.replaceAll('&amp;', '&')
    const second = await open(next)
    expect(textOf(first)).toContain('Row 51')
    expect(textOf(second)).toContain('Row 0 ')
    expect(textOf(second)).toContain('Newest')
    expect(mainOf(second)).not.toContain('Row 51')
  })

  it.each(['q=%00', 'cursor=none', 'state=%00', 'unit=%00'])(
    'says that %s is no query of the page',
    async (query) => {
      const page = await open(`/messages?${query}`)
      expect([400, 404]).toContain(page.response.status)
      expect(page.text).toContain('<h1>')
    },
  )

  it('shows another unit to nobody, and asks who is signed out', async () => {
    expect((await open(`/messages?unit=${api.units.b}`)).response.status).toBe(404)
    const stranger = await signedIn('').ask(`${base}/messages`)
    expect(stranger.response.headers.get('location')).toContain('/v1/auth/login?returnTo=%2Fmessages')
  })
})

describe('the page of a message', () => {
  it('says what happens next, what goes out, to whom, and what it costs', async () => {
    const id = await submitted('Water is off', { scheduleAt: '2099-12-01T01:00:00Z' })
    const page = await open(`/messages/${id}`)
    for (const part of [
      'To be approved',
      'It waits for an approver. Approved now, it is sent at Tue, Dec 1, 2099, 09:00',
      '3 people: 3 by chat, 0 by e-mail',
      'What recipients see',
      'Water is off',
      'I will not',
      'As a mail (English)',
      'History',
    ])
      expect(textOf(page)).toContain(part)
    expect(page.text).toContain('<div class="phone">')
    expect(page.text).toContain(`src="/messages/${id}/preview/email/en"`)
    expect(page.text).toContain(`href="/approvals/message/${id}"`)
    expect(page.response.headers.get('content-security-policy')).not.toContain('unsafe')
  })

  it('shows a mail in a frame that loads nothing and runs nothing', async () => {
    const { response, text } = await open(`/messages/${await submitted('In a mail')}/preview/email/en`)
    expect(response.status).toBe(200)
    expect(text).toContain('In a mail')
    const policy = response.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain('sandbox')
    expect(policy).toContain("frame-ancestors 'self'")
  })

  it.each(['chat/en', 'email/fr', 'fax/en'])('has no frame for %s', async (which) => {
    const id = await submitted('No frame')
    expect((await open(`/messages/${id}/preview/${which}`)).response.status).toBe(404)
  })

  it.each(['not-an-id', randomUUID()])('is not there for %s', async (id) => {
    const page = await open(`/messages/${id}`)
    expect(page.response.status).toBe(404)
    expect(textOf(page)).toContain('This message does not exist')
  })
})

describe('an act', () => {
  it('says what it will do in numbers, does it once, and shows how it is then', async () => {
    const browser = approver()
    const id = await submitted('To be cancelled')
    const first = await browser.open(`${base}/messages/${id}`)
    const confirmation = await press(browser, first, 'Cancel message')
    expect(textOf(confirmation)).toContain('None of the 3 people receives it')
    expect(await stateOf(id)).toBe('submitted')
    const done = await press(browser, confirmation, 'Cancel message')
    expect(textOf(done)).toMatch(/Cancelled: Approver/)
    expect(await stateOf(id)).toBe('cancelled')
    const again = await press(browser, confirmation, 'Cancel message')
    expect(again.response.status).toBe(409)
    expect(textOf(again)).toContain('The message has changed')
  })

  it('submits a draft, and says what is wrong with one that cannot be sent', async () => {
    const browser = editor()
    const id = await draft('To be submitted')
    const confirmation = await press(browser, await browser.open(`${base}/messages/${id}`), 'Submit')
    const done = await press(browser, confirmation, 'Submit')
    expect(done.response.status).toBe(200)
    expect(await stateOf(id)).toBe('submitted')
    expect(mainOf(done)).not.toContain('value="submit"')
  })

  it('of a send that waits for a provider: tries again, or skips the others', async () => {
    const id = await submitted('To be skipped')
    await api.call('approveMessage', { session: api.sessions.approver, id, body: {} })
    const { db } = api.database
    await sql`update message set state = 'sending' where id = ${id}`.execute(db)
    await sql`update wave set state = 'sending', claimed = true, parked = 'provider', parked_at = now()
      where message_id = ${id}`.execute(db)
    const browser = approver()
    const page = await browser.open(`${base}/messages/${id}`)
    expect(textOf(await press(browser, page, 'Retry now'))).toContain('is sent to the others (3 people) now')
    const confirmation = await press(browser, page, 'Skip the others')
    expect(textOf(confirmation)).toContain('the others (3 people) do not receive it, and the send ends')
    const done = await press(browser, confirmation, 'Skip them and end the send')
    expect(textOf(done)).toContain('The others were skipped · Approver')
  })

  it('is gone with the role, in a session that stays open', async () => {
    const id = await submitted('Not any more')
    const browser = approver()
    const confirmation = await press(browser, await browser.open(`${base}/messages/${id}`), 'Cancel message')
    const { rows } = await sql<{ unit_id: string; person_id: string; role: string }>`
      delete from member where person_id = (select id from person where name = 'Approver') returning *`.execute(
      api.database.db,
    )
    const done = await press(browser, confirmation, 'Cancel message')
    expect(done.response.status).toBe(404)
    expect((await browser.open(`${base}/messages`)).text).not.toContain('Not any more')
    expect(await browser.open(`${base}/`)).toMatchObject({ response: { status: 200 } })
    for (const row of rows)
      await sql`insert into member (unit_id, person_id, role)
        values (${row.unit_id}, ${row.person_id}, ${row.role})`.execute(api.database.db)
    expect(await stateOf(id)).toBe('submitted')
  })

  it('copies once, however often the button is pressed', async () => {
    const browser = editor()
    const id = await submitted('To be copied')
    const confirmation = await press(browser, await browser.open(`${base}/messages/${id}`), 'Copy as a draft')
    const copies = [
      await press(browser, confirmation, 'Make the draft'),
      await press(browser, confirmation, 'Make the draft'),
    ]
    const [one, two] = copies.map(({ url }) => url)
    expect(one).toBe(two)
    expect(one).not.toContain(id)
    expect(textOf(copies[0]!)).toContain('This is the new draft.')
  })

  it('is refused from another site, and with a form that is not of the page', async () => {
    const id = await submitted('Not from elsewhere')
    const body = new URLSearchParams({ act: 'cancel', version: '2', key: randomUUID() })
    const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
    const url = `${base}/messages/${id}`
    const refused = await approver().open(url, { method: 'POST', body, headers: foreign })
    expect(refused.response.status).toBe(403)
    const own = { origin: base, 'sec-fetch-site': 'same-origin' }
    const odd = new URLSearchParams({ act: 'explode', key: randomUUID() })
    const invalid = await approver().open(url, { method: 'POST', body: odd, headers: own })
    expect(invalid.response.status).toBe(400)
    expect(await stateOf(id)).toBe('submitted')
  })
})

describe('who did not get it', () => {
  it('is told for one person to whom it is allowed, and audited', async () => {
    const browser = approver()
    const id = await submitted('Asked about one')
    const page = await browser.open(`${base}/messages/${id}`)
    const told = await press(browser, page, 'Look up', { uid: 's1' })
    expect(textOf(told)).toContain('What became of it for s1')
    expect(told.url).not.toContain('s1')
    const nobody = await press(browser, page, 'Look up', { uid: 'nobody-has-this' })
    expect(textOf(nobody)).toContain('Nobody has this number')
    const read = await sql<{
      action: string
    }>`select action from audit where action = 'read' and details ->> 'what' = 'trace'`.execute(
      api.database.db,
    )
    expect(read.rows).toHaveLength(1)
  })

  it('is said to be for approvers where it is not allowed', async () => {
    const page = await open(`/messages/${await submitted('Not for editors')}`, editor())
    expect(textOf(page)).toContain('Only approvers of the unit and members of an administrative unit')
    expect(mainOf(page)).not.toContain('name="uid"')
  })
})

describe('every page', () => {
  /** Bytes, compressed, of a page; of each script and module that it imports (docs/design/console.md). */
  const [pageBytes, scriptBytes] = [15 * 1_024, 5 * 1_024]
  /** And of all scripts of the page on which people write. */
  const composerBytes = 12 * 1_024

  /** The address of a new form. */
  const writing = async (form: Record<string, string>) =>
    (await beginWriting(approver(), base, form)).url.slice(base.length)

  /** The sizes of the script of a page and of the modules that it imports, each compressed. */
  async function scriptSizes(page: string): Promise<number[]> {
    const [, path] = /<script type="module" src="([^"]+)">/.exec(page)!
    const sizes = new Map<string, number>()
    const read = async (one: string): Promise<void> => {
      const { text, response } = await open(one)
      expect(response.headers.get('cache-control')).toContain('immutable')
      sizes.set(one, gzipSync(text).length)
      for (const [, other] of text.matchAll(/ from '([^']+)'/g)) if (!sizes.has(other!)) await read(other!)
    }
    await read(path!)
    return [...sizes.values()]
  }

  it('stays small, and so do its scripts', async () => {
    const id = await submitted('A light page')
    for (const path of [
      '/',
      '/messages',
      `/messages/${id}`,
      `/approvals/message/${id}`,
      '/quota',
      '/results',
      '/patterns',
      await writing({ unit: api.units.a }),
      await writing({ unit: api.units.a, type: 'rsvp' }),
      await writing({ unit: api.units.a, type: 'template' }),
    ]) {
      const { text } = await open(path)
      expect(gzipSync(text).length, path).toBeLessThan(pageBytes)
    }
    const composer = await scriptSizes((await open(await writing({ unit: api.units.a }))).text)
    expect(Math.max(...composer)).toBeLessThan(scriptBytes)
    expect(composer.reduce((sum, one) => sum + one)).toBeLessThan(composerBytes)
    await api.call('approveMessage', { session: api.sessions.approver, id, body: {} })
    const [live, ...others] = await scriptSizes((await open(`/messages/${id}`)).text)
    expect([live! < scriptBytes, others]).toEqual([true, []])
  })

  it('answers 304 to who shows it as it is', async () => {
    const path = `/messages/${await submitted('As it is')}`
    const tag = (await open(path)).response.headers.get('etag')!
    const browser = approver()
    const again = await browser.ask(`${base}${path}`, { headers: { 'if-none-match': tag } })
    expect([again.response.status, again.text]).toEqual([304, ''])
    const other = await browser.ask(`${base}${path}?act=cancel`, { headers: { 'if-none-match': tag } })
    expect(other.response.status).toBe(200)
  })
})

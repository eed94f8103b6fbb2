import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { forConsole } from '../../fixtures/console.ts'
import { mainOf, textOf } from '../../fixtures/pages.ts'
import { byCall, byMails } from '../../fixtures/senders.ts'
import type { SignInFixture } from '../../fixtures/sign-in.ts'
import { type Browser, type Step, signedIn } from '../../fixtures/sign-in-browser.ts'
import { beginWriting, fieldsOf, ownOrigin, press } from '../../fixtures/written-form.ts'

let api: SignInFixture['api']
let base: string
const sentTo: unknown[] = []
const mailedTo: string[] = []
let refuses = false
const senders = {
  chat: byCall(async (call) => {
    sentTo.push(call)
    return { kind: 'accepted' }
  }),
  email: byMails(async ({ to }) => {
    mailedTo.push(...to.map(({ address }) => address))
    return to.map(() => (refuses ? { kind: 'refused', code: '550' } : { kind: 'accepted' }))
  }),
}
const fixture = forConsole({ senders })
beforeAll(() => {
  ;({ api, baseUrl: base } = fixture)
})

const editor = () => signedIn(api.sessions.editor)
const own = () => ownOrigin(base)

/** Begins to write; returns the page. */
async function begin(browser: Browser): Promise<Step> {
  const list = await browser.open(`${base}/compose`)
  const [, unit] = /name="unit" value="([^"]+)"/.exec(mainOf(list))!
  return beginWriting(browser, base, { unit: unit! })
}

const complete = {
  categoryId: 'manual',
  'messages.0.text.zh-TW': '週五停課',
  'messages.0.text.en': 'No classes on Friday',
  'audience.roles[]': ['student'],
}

describe('writing a message', () => {
  it('keeps what was typed, complete or not, and names what is missing at its field', async () => {
    const browser = editor()
    const page = await press(browser, await begin(browser), 'check', {
      'messages.0.text.en': 'Half a <b>thought',
    })
    expect(page.response.status).toBe(200)
    expect(page.text).toContain('Half a &lt;b&gt;thought')
    expect(textOf(page)).toContain('It cannot be submitted yet.')
    expect(page.text).toContain('href="#categoryId"')
    expect(mainOf(page)).not.toContain('value="submit"')
    const again = await browser.open(page.url)
    expect(again.text).toContain('Half a &lt;b&gt;thought')
    expect(textOf(await browser.open(`${base}/compose`))).toMatch(
      /Half a <b>thought Being written — saved .* Editor/,
    )
  })

  it('counts whom it would reach, shows what they would see, and is submitted once', async () => {
    const browser = editor()
    const checked = await press(browser, await begin(browser), 'check', complete)
    expect(textOf(checked)).toContain('3 people')
    expect(textOf(checked)).toContain('Submit: 3 people')
    expect(checked.text).toContain('class="phone"')
    const [, frame] = /<iframe class="mail" src="([^"]+)"/.exec(checked.text)!
    expect((await browser.open(`${base}${frame!.replaceAll('&amp;', '&')}`)).text).toContain('週五停課')
    const sent = await press(browser, checked, 'submit')
    const [, id] = /\/messages\/([0-9a-f-]{36})/.exec(sent.url)!
    const { body } = await api.call('getMessage', { session: api.sessions.editor, id: id! })
    expect(body).toMatchObject({ state: 'submitted', origin: 'console', audience: { roles: ['student'] } })
    expect((await press(browser, checked, 'submit')).url).toBe(sent.url)
    expect(textOf(await browser.open(`${base}/compose`))).not.toContain('No classes on Friday')
  })

  it('leads to the message from wherever somebody goes on once it is submitted', async () => {
    const browser = editor()
    const checked = await press(browser, await begin(browser), 'check', complete)
    const sent = await press(browser, checked, 'submit')
    expect(sent.url).toMatch(/\/messages\/[0-9a-f-]{36}\?done=submit$/)
    const url = checked.url.split(/[?#]/)[0]!
    const acts = ['submit', 'save', 'check', 'test', 'add card', 'discarded']
    for (const act of acts) expect([act, (await press(browser, checked, act)).url]).toEqual([act, sent.url])
    for (const page of [url, `${url}?act=discard`, `${url}/preview/email/en`])
      expect([page, (await browser.open(page)).url]).toEqual([page, sent.url])
    expect((await signedIn(api.sessions.otherApprover).open(url)).response.status).toBe(404)
    const { rows } = await sql`select title, form, (select count(*)::int from composition_author
        where composition_id = composition.id) as authors from composition
      where id = ${url.split('/').at(-1)}`.execute(api.database.db)
    expect(rows).toEqual([{ title: '', form: [], authors: 0 }])
  })

  it('is submitted once by two who press at the same time, and both see the message', async () => {
    const browser = editor()
    const checked = await press(browser, await begin(browser), 'check', complete)
    const presses = await Promise.all([press(browser, checked, 'submit'), press(editor(), checked, 'submit')])
    const [first, second] = presses.map(({ url }) => url)
    expect(first).toContain('/messages/')
    expect(second).toBe(first)
  })

  it('is saved as it is written: the answer says what stands beside the fields, and the numbers come apart', async () => {
    const browser = editor()
    const checked = await press(browser, await begin(browser), 'check', complete)
    const url = checked.url.replace(/[?#].*/, '')
    const changed = fieldsOf(checked).filter(([name]) => name !== 'messages.0.text.en')
    const body = new URLSearchParams([
      ...changed,
      ['messages.0.text.en', 'No classes on Monday'],
      ['act', 'save'],
    ])
    const saved = await browser.ask(`${url}?part=beside`, { method: 'POST', headers: own(), body })
    expect(saved.response.status).toBe(200)
    expect(saved.text).toContain('No classes on Monday')
    expect(saved.text).toMatch(/name="version" value="3"/)
    expect(saved.text).not.toContain('id="fields"')
    expect(textOf(saved)).not.toContain('3 people')
    const numbers = await browser.open(`${url}?part=numbers`)
    expect(textOf(numbers)).toContain('Submit: 3 people')
    const of = (page: Step) => /data-of="(.+?)"/.exec(page.text)?.[1]
    expect(of(numbers)).toBe(of(saved))
  })

  it('shows what there is: a stand-in is drawn for what is missing, and all that is wrong is said at once', async () => {
    const browser = editor()
    const page = await begin(browser)
    expect(page.text).toContain('<p class="bubble stand-in">（還沒有文字）</p>')
    expect(mainOf(page)).not.toMatch(/aria-invalid|cannot be submitted yet/)
    const added = await press(browser, await press(browser, page, 'add image'), 'add buttons')
    const checked = await press(browser, added, 'check', {
      'messages.0.text.en': 'No classes on Friday',
      'messages.2.text.zh-TW': '有問題嗎？',
      'messages.2.actions.0.label.zh-TW': '看說明',
      'messages.2.actions.0.url': 'nowhere',
      expiresAt: '2020-01-01T09:00',
      topicId: randomUUID(),
    })
    const [, phone = ''] = /<div class="phone">(.*?)<\/section>/s.exec(checked.text)!
    expect(phone).toContain('（還沒有文字）')
    expect(phone).toContain('有問題嗎？')
    const [, list = ''] = /cannot be submitted yet.*?<ul>(.*?)<\/ul>/s.exec(checked.text)!
    const fields = [...list.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(fields).toEqual(
      expect.arrayContaining([
        'categoryId',
        'messages-0-text-zh-TW',
        'messages-1-url',
        'messages-2-actions-0-url',
        'audience',
      ]),
    )
    expect(fields).toEqual(expect.arrayContaining(['expiresAt', 'topicId']))
    expect(textOf(await browser.open(checked.url.replace(/[?#].*/, '')))).not.toContain(
      'cannot be submitted yet',
    )
  })

  it('is saved for nobody but the person who opened it', async () => {
    const page = await begin(editor())
    const other = signedIn(api.sessions.twoUnits)
    expect(
      (await press(other, page, 'save', { 'messages.0.text.en': 'By somebody else' })).response.status,
    ).toBe(401)
  })

  it('adds, moves and removes parts without losing a word', async () => {
    const browser = editor()
    const first = await press(browser, await begin(browser), 'add quickReply', complete)
    expect(first.text).toContain('Part 2: Quick reply')
    const question = {
      'messages.1.text.zh-TW': '來嗎？',
      'messages.1.options.0.label.zh-TW': '來',
      'messages.1.options.1.label.zh-TW': '不來',
    }
    const more = await press(browser, first, 'more messages.1.options', question)
    expect(fieldsOf(more)).toContainEqual(['messages.1.options.2.id', 'o3'])
    const moved = await press(browser, more, 'up messages.1', { 'messages.1.options.2.label.zh-TW': '再說' })
    expect(fieldsOf(moved)).toContainEqual(['messages.0.options.2.label.zh-TW', '再說'])
    const removed = await press(browser, moved, 'remove messages.0.options.0')
    expect(
      fieldsOf(removed)
        .filter(([name]) => name.endsWith('.id'))
        .map(([, id]) => id),
    ).toEqual(['o2', 'o3'])
    expect(textOf(await press(browser, removed, 'check'))).toContain('Submit: 3 people')
  })

  it('sends at the unit’s wall time, and says what the server refuses', async () => {
    const browser = editor()
    const page = await press(browser, await begin(browser), 'check', {
      ...complete,
      scheduleAt: '2098-12-01T09:00',
      expiresAt: '2098-11-01T09:00',
    })
    expect(textOf(page)).toMatch(/It was not done|expires|before/i)
    const good = await press(browser, page, 'check', { expiresAt: '2098-12-31T09:00' })
    const sent = await press(browser, good, 'submit')
    const [, id] = /\/messages\/([0-9a-f-]{36})/.exec(sent.url)!
    const { body } = await api.call('getMessage', { session: api.sessions.editor, id: id! })
    expect([body.scheduleAt, body.expiresAt]).toEqual([
      '2098-12-01T01:00:00.000Z',
      '2098-12-31T01:00:00.000Z',
    ])
  })

  it.each([
    ['a name of 300,000 characters', true, { ['x'.repeat(300_000)]: '1' }],
    ['a name of 300,000 steps', true, { [Array(150_000).fill('a').join('.')]: '1' }],
    [
      'a name of many steps that are known',
      true,
      { [`messages.0.${Array(50_000).fill('cards').join('.')}`]: 'x' },
    ],
    [
      'many names below one',
      true,
      Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`${'a.'.repeat(n)}a`, 'x'])),
    ],
    ['a name with a NUL', true, { 'variables.a\u0000b': 'x' }],
    [
      'a value of 100,000 levels',
      false,
      { 'variables.day#': `${'['.repeat(100_000)}${']'.repeat(100_000)}`, content: 'template' },
    ],
    ['a block of 100,000 levels', false, { 'messages.0#': `${'['.repeat(100_000)}${']'.repeat(100_000)}` }],
    [
      'a text of 30,000 levels',
      false,
      { 'messages.0.text#': `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}` },
    ],
    ['an audience of many values', false, { 'audience.roles#': `[${Array(200_000).fill('1').join(',')}]` }],
  ] as [string, boolean, Record<string, string>][])(
    'is not broken for everybody by %s',
    async (_what, isRefused, values) => {
      const browser = editor()
      const page = await press(browser, await begin(browser), 'check', complete)
      for (const act of ['save', 'check', 'submit', 'test']) {
        const { response } = await press(browser, page, act, values)
        expect([act, response.status]).toEqual([act, isRefused ? 400 : expect.toBeOneOf([200, 409])])
      }
      const again = await browser.open(page.url.replace(/#.*/, ''))
      expect(again.response.status).toBe(200)
      expect(again.text).toContain('No classes on Friday')
      expect((await browser.open(`${base}/compose`)).response.status).toBe(200)
    },
  )

  it('is listed by the beginning of its text, cut between characters as readers see them', async () => {
    const browser = editor()
    const text = `${'字'.repeat(79)}👩‍🏫${'尾'.repeat(10)}`
    await press(browser, await begin(browser), 'check', { 'messages.0.text.zh-TW': text })
    const list = textOf(await browser.open(`${base}/compose`))
    expect(list).toContain(`${'字'.repeat(79)}👩‍🏫…`)
    expect(list.isWellFormed()).toBe(true)
  })

  it('refuses a time that has passed, at its field', async () => {
    const browser = editor()
    // The unit's wall time, to the minute.
    const wall = (at: number) => new Date(at + 8 * 3_600_000).toISOString().slice(0, 16)
    const hour = 3_600_000
    const page = await press(browser, await begin(browser), 'check', {
      ...complete,
      scheduleAt: wall(Date.now() - 2 * hour),
    })
    expect(textOf(page)).toContain('This time has passed. Choose a later one')
    expect(mainOf(page)).not.toContain('value="submit"')
    const slip = await press(browser, page, 'check', { scheduleAt: '2025-11-01T09:00' })
    expect(textOf(slip)).toContain('The scheduled time was more than a day ago')
    expect(textOf(slip)).not.toContain('2025')
    expect(mainOf(slip)).not.toContain('value="submit"')
  })

  it('never says that somebody is reached when nobody is', async () => {
    const browser = editor()
    const page = await press(browser, await begin(browser), 'check', {
      ...complete,
      'audience.roles[]': ['teacher'],
      'audience.stages[]': ['alumni'],
    })
    expect(textOf(page)).toContain('Nobody fits')
    expect(mainOf(page)).not.toContain('value="submit"')
  })
})

describe('whom it is for', () => {
  it('is looked for by words where there are more values than are shown; what is chosen stays', async () => {
    const named = Array.from({ length: limits.audienceChoices + 1 }, (_, at) => ({
      unit_id: api.units.a,
      name: `Choir ${String(at).padStart(2, '0')}`,
      kind: 'dynamic' as const,
      query: JSON.stringify({ roles: ['student'] }),
    }))
    await api.database.db.insertInto('subject_group').values(named).execute()
    const browser = editor()
    const page = await begin(browser)
    expect(textOf(page)).toContain('Choir 49')
    expect(textOf(page)).not.toContain('Choir 50')
    const result = await press(browser, page, 'check', { 'find.groups': 'ir 50' })
    expect(textOf(result)).toContain('Choir 50')
    expect(textOf(result)).not.toContain('Choir 49')
    const [, id] = /name="audience.groups\[\]" value="([^"]+)">Choir 50/.exec(result.text)!
    const chosen = await press(browser, result, 'check', { 'audience.groups[]': id!, 'find.groups': '' })
    expect(fieldsOf(chosen)).toContainEqual(['audience.groups[]', id])
    await sql`delete from subject_group where name like 'Choir %'`.execute(api.database.db)
  })
})

describe('two people who write the same message', () => {
  it('do not overwrite one another: the second sees whose it is, and chooses', async () => {
    const [first, second] = [editor(), editor()]
    const page = await begin(first)
    const others = await second.open(page.url)
    await press(first, page, 'check', { 'messages.0.text.en': 'By the first' })
    const stale = await press(second, others, 'check', { 'messages.0.text.en': 'By the second' })
    expect(stale.response.status).toBe(409)
    expect(textOf(stale)).toContain('Editor saved another version')
    expect(stale.text).toContain('By the second')
    expect((await first.open(page.url)).text).toContain('By the first')
    const replaced = await press(second, stale, 'check')
    expect(replaced.response.status).toBe(200)
    expect((await first.open(page.url)).text).toContain('By the second')
  })

  it('takes the same again from who did not hear that it was saved', async () => {
    const browser = editor()
    const page = await begin(browser)
    const text = { 'messages.0.text.en': 'Saved, and the answer was lost' }
    await press(browser, page, 'save', text)
    expect((await press(browser, page, 'save', text)).response.status).toBe(200)
    expect((await press(browser, page, 'save', { 'messages.0.text.en': 'Other' })).response.status).toBe(409)
  })

  it('is for editors of the unit', async () => {
    const page = await begin(editor())
    const approver = signedIn(api.sessions.approver)
    await sql`delete from member where role = 'editor' and person_id = (select id from person where name = 'Approver')`.execute(
      api.database.db,
    )
    expect((await approver.open(page.url)).response.status).toBe(403)
    expect((await signedIn(api.sessions.otherApprover).open(page.url)).response.status).toBe(404)
    expect(mainOf(await approver.open(`${base}/`))).not.toContain('/compose')
  })

  it('can be discarded, after a second press', async () => {
    const browser = editor()
    const page = await begin(browser)
    const confirmation = await browser.open(`${page.url.split('#')[0]}?act=discard`)
    expect(textOf(confirmation)).toContain('What was written is not kept.')
    const gone = await browser.open(page.url.split('#')[0]!, {
      method: 'POST',
      headers: own(),
      body: new URLSearchParams({ act: 'discarded' }),
    })
    expect(gone.url).toBe(`${base}/messages?state=draft`)
    expect((await browser.open(page.url)).response.status).toBe(404)
  })
})

describe('a draft that is there already', () => {
  const draft = async (key: string, more: object) => {
    const messages = [{ kind: 'text', text: { 'zh-TW': '原來的字', en: 'As it was' } }]
    const body = { categoryId: 'manual', reference: 'case-17', messages, ...more }
    const headers = { 'idempotency-key': randomUUID() }
    return (await api.call('createMessage', { key, headers, body })).body.id as string
  }
  const goOn = (browser: Browser, message: string) => beginWriting(browser, base, { message })

  it('is changed where messages are written, and keeps what the form does not show', async () => {
    const id = await draft(api.keys.a, { audience: { kind: 'query', roles: ['student'] } })
    const browser = editor()
    expect(mainOf(await browser.open(`${base}/messages/${id}`))).toContain('Go on writing')
    const page = await goOn(browser, id)
    expect(fieldsOf(page)).toContainEqual(['messages.0.text.en', 'As it was'])
    expect((await goOn(editor(), id)).url).toBe(page.url)
    const sent = await press(browser, page, 'submit', { 'messages.0.text.en': 'As it is now' })
    expect(sent.url).toContain(id)
    const { body } = await api.call('getMessage', { session: api.sessions.editor, id })
    expect(body).toMatchObject({ state: 'submitted', reference: 'case-17', origin: 'api' })
    expect(body.content.messages[0].text.en).toBe('As it is now')
    expect(mainOf(await browser.open(`${base}/messages/${id}`))).not.toContain('Go on writing')
  })

  it('that names people is changed by the system that may name them', async () => {
    const key = await api.newKey(api.units.a, { individualTargeting: true })
    const id = await draft(key, { audience: { kind: 'individual', uids: ['student-1'] } })
    expect((await goOn(editor(), id)).response.status).toBe(403)
    const { rows } = await sql`select from composition where form::text like '%student-1%'`.execute(
      api.database.db,
    )
    expect(rows).toEqual([])
  })

  it('stays a draft when what was written about it is discarded', async () => {
    const id = await draft(api.keys.a, { audience: { kind: 'query', roles: ['student'] } })
    const browser = editor()
    const page = await goOn(browser, id)
    await browser.open(page.url, {
      method: 'POST',
      headers: own(),
      body: new URLSearchParams({ act: 'discarded' }),
    })
    const { body } = await api.call('getMessage', { session: api.sessions.editor, id })
    expect(body).toMatchObject({ state: 'draft', version: 1 })
  })
})

describe('a test to oneself', () => {
  it('goes to one’s own address, and what is written stays', async () => {
    await sql`update person set subject_uid = (
      select uid from subject join address on subject_id = subject.id where channel = 'chat' limit 1)
      where name = 'Editor'`.execute(api.database.db)
    const browser = editor()
    const page = await press(browser, await begin(browser), 'check', complete)
    const tested = await press(browser, page, 'test')
    expect(textOf(tested)).toMatch(/Done Sent to the chat \(ending in \w+\) and editor@example.org\./)
    expect([sentTo.length, mailedTo]).toEqual([1, ['editor@example.org']])
    refuses = true
    const half = textOf(await press(browser, tested, 'test'))
    refuses = false
    expect(half).toMatch(/Sent to the chat \(ending in \w+\)\. Attention Not sent by e-mail: The provider/)
    const again = await press(browser, tested, 'test', { 'messages.0.text.en': 'Better words' })
    const sent = await press(browser, again, 'submit')
    const [, id] = /\/messages\/([0-9a-f-]{36})/.exec(sent.url)!
    const { body } = await api.call('getMessage', { session: api.sessions.editor, id: id! })
    expect(body).toMatchObject({
      state: 'submitted',
      content: { messages: [{ text: { en: 'Better words' } }] },
    })
    const { rows } =
      await sql`select from message where title->>'en' in ('Better words', 'No classes on Friday')
      and state = 'draft'`.execute(api.database.db)
    expect(rows).toEqual([])
  })

  it('of somebody without an address says so', async () => {
    await sql`update person set subject_uid = null where name = 'Editor'`.execute(api.database.db)
    const browser = editor()
    const tested = await press(browser, await begin(browser), 'test', complete)
    const words = textOf(tested)
    expect(words).toContain(
      'Sent to editor@example.org. Attention Not sent by chat: your account has no address',
    )
    await sql`update person set language = 'zh-TW' where name = 'Editor'`.execute(api.database.db)
    const inChinese = await press(browser, tested, 'test')
    expect(textOf(inChinese)).toContain('沒有傳到聊天：您的帳號還沒有這個管道的地址')
    await sql`update person set language = 'en' where name = 'Editor'`.execute(api.database.db)
  })
})

describe('a form that is wrong, read in Chinese', () => {
  beforeAll(async () => {
    await sql`update person set language = 'zh-TW' where name = 'Editor'`.execute(api.database.db)
    return () => sql`update person set language = 'en' where name = 'Editor'`.execute(api.database.db)
  })

  /** What the page lists as wrong, without the addresses that it gives as examples. */
  async function wrongIn(values: Record<string, string | string[]>): Promise<string> {
    const browser = editor()
    const page = await press(browser, await begin(browser), 'add image', {})
    const checked = await press(browser, page, 'check', { ...complete, ...values })
    const [, list = ''] = /請修改標示的欄位：<\/p>\n<ul>(.*?)<\/ul>/s.exec(checked.text) ?? []
    return list.replaceAll(/<[^>]*>|https?:\/\/[a-z.]*/g, ' ')
  }

  it.each<[string, Record<string, string | string[]>, string]>([
    ['a text that is missing', { 'messages.0.text.zh-TW': '' }, '還沒有填寫'],
    ['no audience', { 'audience.kind': 'query', 'audience.roles[]': [] }, '請至少選擇一個條件'],
    ['an address that is none', { 'messages.1.url': 'nowhere' }, '請填寫完整的網址'],
    ['an address that is not https', { 'messages.1.url': 'ftp://example.edu/a.png' }, ''],
    [
      'a title that is too long',
      { 'calendar.title.zh-TW': '長'.repeat(201), 'calendar.start': '2098-01-01T09:00' },
      '最多 200 個字',
    ],
    ['a time that has passed', { expiresAt: '2020-01-01T09:00' }, '必須晚於現在'],
    ['a time that is none', { scheduleAt: 'soon' }, '請填寫完整的日期與時間'],
    ['a reminder without a time', { remindTo: 'all' }, '請填寫提醒時間'],
    [
      'a reminder before the send',
      { scheduleAt: '2098-02-01T09:00', remindAt: '2098-01-01T09:00' },
      '必須晚於發送時間',
    ],
    ['a number that is no integer', { 'pace.perMinute#': '1.5' }, '請填寫整數'],
    ['a number that is none', { 'pace.perMinute#': 'many' }, '請填寫數字'],
    ['a number that is too small', { 'pace.perMinute#': '0' }, '至少要'],
    ['a number that JSON rounds', { 'pace.perMinute#': '9912345678901235' }, '請改以文字填寫'],
    ['a category that does not exist', { categoryId: 'nothing' }, '這個類別不存在'],
  ])('says in Chinese alone: %s', async (_what, values, told) => {
    const image = { 'messages.1.url': 'https://example.edu/a.png', 'messages.1.alt.zh-TW': '校園' }
    const list = await wrongIn({ ...image, ...values })
    expect(list).toContain(told)
    expect(list).toMatch(/\p{Script=Han}/u)
    expect(list).not.toMatch(/[A-Za-z]/)
  })
})

describe('a personal message that is being written', () => {
  const secret = { 'messages.0.text.zh-TW': '補助核定：王小明' }
  const hidden = 'A personal message, which only its authors and approvers may read'

  /** What is written: of a personal draft, or of a form that says so. */
  const writings: Record<string, (browser: Browser) => Promise<Step>> = {
    async 'to change a draft'(browser) {
      const body = {
        ...{ categoryId: 'manual', kind: 'personal', audience: { kind: 'query', roles: ['student'] } },
        messages: [{ kind: 'text', text: { 'zh-TW': '補助核定：王小明' } }],
      }
      const headers = { 'idempotency-key': randomUUID() }
      const message = await api.call('createMessage', { session: api.sessions.editor, headers, body })
      return beginWriting(browser, base, { message: message.body.id })
    },
    async 'as a form that says so'(browser) {
      return press(browser, await begin(browser), 'check', { ...complete, ...secret, kind: 'personal' })
    },
    async 'to individuals'(browser) {
      const named = { 'audience.kind': 'individual', 'audience.uids[]': ['s1'] }
      return press(browser, await begin(browser), 'check', { ...complete, ...secret, ...named })
    },
  }

  /** Every door to it. */
  const doors = (url: string): { url: string; act?: string }[] => [
    { url },
    { url: `${url}?act=discard` },
    { url: `${url}/preview/email/zh-TW` },
    ...['check', 'save', 'submit', 'test', 'discarded'].map((act) => ({ url, act })),
  ]

  it.each(Object.entries(writings))('is read by its authors and approvers alone: %s', async (_, write) => {
    const { db } = api.database
    await sql`insert into member (unit_id, person_id, role)
      select ${api.units.a}, id, 'editor' from person where name = 'Other approver'`.execute(db)
    const [author, other] = [editor(), signedIn(api.sessions.otherApprover)]
    const url = (await write(author)).url.split(/[?#]/)[0]!
    expect((await author.open(url)).text).toContain('王小明')
    for (const { url: door, act } of doors(url)) {
      const body = new URLSearchParams({ version: '1', ...(act && { act }), ...secret })
      const init = act ? { method: 'POST', headers: own(), body } : {}
      const answer = await other.ask(door, init)
      expect([door, act, answer.response.status]).toEqual([door, act, 403])
      expect(answer.text).not.toContain('王小明')
    }
    const lists = async (browser: Browser) =>
      textOf(await browser.open(`${base}/messages?unit=${api.units.a}&state=draft&whose=all`))
    expect(await lists(author)).toContain('王小明')
    const otherList = await lists(other)
    expect([otherList.includes('王小明'), otherList.includes(hidden)]).toEqual([false, true])

    // An approver of the unit may read it, and whoever writes in it from then on belongs to its authors.
    await sql`insert into member (unit_id, person_id, role)
      select ${api.units.a}, id, 'approver' from person where name = 'Other approver'`.execute(db)
    const page = await other.open(url)
    expect(page.text).toContain('王小明')
    await press(other, page, 'check', { 'messages.0.text.zh-TW': '補助核定：王小明。' })
    await sql`delete from member where role = 'approver' and person_id = (
      select id from person where name = 'Other approver') and unit_id = ${api.units.a}`.execute(db)
    expect((await other.open(url)).text).toContain('王小明。')
    await sql`delete from member where unit_id = ${api.units.a} and person_id = (
      select id from person where name = 'Other approver')`.execute(db)
    await press(author, await author.open(url), 'discarded')
  })
})

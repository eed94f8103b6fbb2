import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, startBrowser } from '../../../dev/browser.ts'
import { chatLinkSigner } from '../../../src/channels/chat/tracked-links.ts'
import { adapters } from '../../../src/channels/index.ts'
import { newScenario } from '../../fixtures/new-scenario.ts'
import { formIn, mainOf, press, textOf } from '../../fixtures/pages.ts'
import { type SignInFixture, startSignIn } from '../../fixtures/sign-in.ts'
import { Browser, signedIn } from '../../fixtures/sign-in-browser.ts'
import { forFile } from '../../harness/for-file.ts'

let api: SignInFixture['api']
let base: string
const fixture = forFile(() =>
  startSignIn({
    channels: adapters,
    chatLinks: chatLinkSigner(Buffer.alloc(32, 7)),
  }),
)
beforeAll(async () => {
  ;({ api, baseUrl: base } = fixture)
  await sql`update person set language = 'en'`.execute(api.database.db)
  await sql`update category set channel_plan = '{"mode": "all", "channels": ["chat", "email"]}' where id = 'manual'`.execute(
    api.database.db,
  )
})

const text = { 'zh-TW': '註冊<今天>截止', en: 'Registration closes today' }
const yes = { 'zh-TW': '參加', en: 'I will come' }
const content = [
  { kind: 'text', text },
  { kind: 'image', url: 'https://example.edu/map.png', alt: { 'zh-TW': '地圖', en: 'A map' } },
  { kind: 'buttons', text, actions: [{ kind: 'uri', label: yes, url: 'https://example.edu/come' }] },
]

async function submitted(parts: object = {}, by: { key?: string; session?: string } = { key: api.keys.a }) {
  const headers = { 'idempotency-key': randomUUID() }
  const audience = { kind: 'query', roles: ['student'] }
  const body = { categoryId: 'manual', messages: content, audience, ...parts }
  const { id } = (await api.call('createMessage', { ...by, headers, body })).body
  await api.call('submitMessage', { ...by, id })
  return id as string
}
async function template(messages: object[] = content, parts: object = {}): Promise<string> {
  const body = { name: 'Closing', categoryId: 'news', messages, ...parts }
  return (await api.call('createTemplate', { key: api.keys.a, body })).body.id
}
/** A binding to the approved template, unless `parts` say otherwise. */
async function binding(parts: object = {}): Promise<string> {
  const content = { categoryId: 'news', templateId: api.templates.approved }
  const audience = { kind: 'query', roles: ['student'] }
  const body = { source: 'sis', type: randomUUID(), ...content, audience, ...parts }
  return (await api.call('createEventBinding', { key: api.keys.a, body })).body.id
}
const toItsSubjects = { audience: { kind: 'event_subjects' } }
/** A binding whose events start a scenario, each a conversation of its own. */
const scenarioBinding = (scenarioId: string) =>
  binding({ ...toItsSubjects, categoryId: 'manual', templateId: undefined, scenarioId, runPer: 'event' })
async function scenario(parts: object = {}): Promise<string> {
  const body = newScenario({ categoryId: 'manual', ...parts })
  const { id } = (await api.call('createScenario', { key: api.keys.a, body })).body
  await api.call('putScenario', { key: api.keys.a, id, body: { state: 'active' } })
  return id
}
const stateOf = async (id: string) =>
  (await api.call('getMessage', { session: api.sessions.approver, id })).body.state

const approver = () => signedIn(api.sessions.approver)

describe('the page of a message', () => {
  it('names the people of a list, the first of them at once, and says in the audit that they were read', async () => {
    const { db } = api.database
    await db.updateTable('subject').set({ display_name: '林小美' }).where('uid', '=', 's1').execute()
    const strangers = Array.from({ length: 21 }, (_, at) => `gone-${at}`)
    const named = async (uids: string[]) => {
      const id = await submitted({ audience: { kind: 'individual', uids } }, { key: api.keys.individual })
      return { id, page: await approver().open(`${base}/approvals/message/${id}`) }
    }
    const { id, page } = await named(['s1', 's2'])
    expect(textOf(page)).toContain('2 named people 林小美 (s1) s2')
    const read = db.selectFrom('audit').select('details').where('object_id', '=', id)
    expect(await read.where('action', '=', 'read').execute()).toEqual([{ details: { what: 'audience' } }])
    const { text } = (await named(['s1', 's2', ...strangers])).page
    expect(text).toContain('<p>gone-17 (nobody has this uid)</p><details><summary>3 more</summary>')
    expect(text.split('<details><summary>3 more</summary>')[1]).toMatch(
      /^(<p>gone-\d+ \(.*?\)<\/p>){3}<\/details>/,
    )
  })

  it('shows its text in both languages, people, exclusions, time, cost, author and reason', async () => {
    await sql`update unit set time_zone = 'Asia/Taipei' where id = ${api.units.a}`.execute(api.database.db)
    const page = await approver().open(
      `${base}/approvals/message/${await submitted({ scheduleAt: '2099-12-01T01:00:00Z' })}`,
    )
    expect(page.response.status).toBe(200)
    const words = textOf(page)
    for (const part of [
      'Messages of this category need the approval of a person.',
      'Tue, Dec 1, 2099, 09:00 (Taiwan Standard Time)',
      '3 people: 3 by chat, 0 by e-mail',
      'Role: students',
      'E-mail: 3 without a usable address',
      '100 left in December 2099, ',
      'in the shared pool. Enough.',
      '註冊<今天>截止',
      'Registration closes today',
      'Image A map https://example.edu/map.png',
      'I will come https://example.edu/come',
      'As a mail (Chinese)',
      'Author test',
      'Approve: send to 3 people on Dec 1, 2099, 09:00',
    ])
      expect(words).toContain(part)
  })

  it('is in the language of its reader', async () => {
    const { db } = api.database
    await sql`update person set language = 'zh-TW' where name = 'Approver'`.execute(db)
    const page = await approver().open(`${base}/approvals/message/${await submitted()}`)
    await sql`update person set language = 'en' where name = 'Approver'`.execute(db)
    expect(page.text).toContain('<html lang="zh-Hant-TW">')
    expect(textOf(page)).toContain('這個類別的訊息須經人工核准。')
    expect(textOf(page)).toContain('核准：3 人，立即發送')
  })

  it('says whom the reminder goes to and shows its mail', async () => {
    const remindAt = '2099-12-01T01:00:00Z'
    const id = await submitted({ remindAt, remindTo: 'unanswered' })
    const words = textOf(await approver().open(`${base}/approvals/message/${id}`))
    expect(words).toContain('To people who received the message and have not answered')
    expect(words).toMatch(
      /The reminder’s mail \(English\) Subject of the mail Reminder: Registration closes today/,
    )
  })

  it('says who is left out and why, and what has changed since an approval', async () => {
    const id = await submitted()
    const drift = {
      reason: 'audience',
      since: '2026-11-20T01:00:00Z',
      recipients: { approved: 2, current: 3 },
      byChannel: { chat: { added: 2, removed: 1 } },
      exact: true,
      groups: [],
    }
    await sql`update message set review_drift = true, drift = ${JSON.stringify(drift)}::jsonb,
      snapshot = jsonb_set(jsonb_set(snapshot, '{recipients,excluded,noConsent}', '7'), '{recipients,excludedByChannel}',
        '{"email": {"noConsent": 7, "noAddress": 0, "preferenceOff": 0, "blocked": 134}}') where id = ${id}`.execute(
      api.database.db,
    )
    const words = textOf(await approver().open(`${base}/approvals/message/${id}`))
    expect(words).toContain('7 without consent')
    expect(words).toContain('E-mail: 134 who blocked us, or whose address is suppressed')
    expect(words).not.toContain('E-mail: 7')
    expect(words).toContain('its recipients have changed')
    expect(words).toContain('Recipients: 3 (2 as of Nov 20, 2026')
    expect(words).toContain('Chat: 2 added, 1 removed')
  })
})

describe('approving', () => {
  it('takes two taps from the link of the mail, and then the page says who approved', async () => {
    const id = await submitted()
    const browser = approver()
    const first = await browser.open(`${base}/approvals/message/${id}`)
    const second = await press(browser, first, 'Approve')
    expect(textOf(second)).toContain('Approve this message? Once approved, it is sent as follows.')
    expect(await stateOf(id)).toBe('submitted')
    const done = await press(browser, second, 'Yes, approve: send to 3 people now')
    expect(done.url).toBe(`${base}/approvals/message/${id}`)
    expect(textOf(done)).toMatch(/Approved: Approver, /)
    expect(mainOf(done)).not.toContain('<form')
    expect(await stateOf(id)).toBe('approved')
    // The browser's Back, and the second tap once more.
    const again = await press(browser, second, 'Yes')
    expect([again.response.status, textOf(again)]).toEqual([
      409,
      expect.stringMatching(
        /Approver approved this at \d\d:\d\d\. There is nothing left for you to do\..*Approved: Approver/s,
      ),
    ])
    expect(textOf(again)).not.toContain('has changed')
  })

  it.each([
    ['a template', 'template', () => template(), 'Approve version 1', 'Approved: Approver'],
    ['a binding', 'event_binding', () => binding(), 'Approve version 1', 'Approved: Approver'],
  ] as const)('works for %s', async (_what, kind, make, button, outcome) => {
    const browser = approver()
    const first = await browser.open(`${base}/approvals/${kind}/${await make()}`)
    expect(first.response.status).toBe(200)
    const done = await press(browser, await press(browser, first, button), `Yes, ${button.toLowerCase()}`)
    expect(textOf(done)).toContain(outcome)
  })

  it('of a binding shows the scenario that its events start in place of a template', async () => {
    const id = await scenarioBinding(await scenario())
    const words = textOf(await approver().open(`${base}/approvals/event_binding/${id}`))
    expect(words).toContain('(no version in force yet: events start nothing)')
    expect(words).toContain('Every event starts its own conversation.')
    expect(words).not.toContain('No template')
  })

  it('of a version that is not the newest is refused, and the page shows what has changed', async () => {
    const id = await template()
    const browser = approver()
    const first = await browser.open(`${base}/approvals/template/${id}`)
    const second = await press(browser, first, 'Approve version 1')
    const changed = { messages: [{ kind: 'text', text: { 'zh-TW': '改了', en: 'Changed text' } }] }
    await api.call('createTemplateVersion', { key: api.keys.a, id, body: changed })
    for (const page of [
      await press(browser, first, 'Approve version 1'),
      await press(browser, second, 'Yes'),
    ]) {
      expect(page.response.status).toBe(409)
      const words = textOf(page)
      expect(words).toContain('The content has changed since you opened it Your decision was not saved.')
      expect(words).toContain('Compared with version 1')
      expect(words).toMatch(/Block 1 \(English\) Removed: Registration closes today New: Changed text/)
      expect(formIn(page, 'Approve version 2').fields).toEqual({ approve: '2' })
    }
    const { body } = await api.call('getTemplate', { key: api.keys.a, id })
    expect(body).toMatchObject({ state: 'draft', version: 2 })
  })

  it('of one’s own message is not offered, and refused if it is sent all the same', async () => {
    const session = api.sessions.approver
    const id = await submitted({}, { session })
    const page = await approver().open(`${base}/approvals/message/${id}`)
    expect(textOf(page)).toContain('another approver has to approve it. You can still reject it.')
    expect(page.text).not.toContain('Approve: ')
    const { body } = await api.call('getMessage', { session, id })
    const forged = await approver().submit(page, { decision: 'approve', version: String(body.version) })
    expect(forged.response.status).toBe(409)
    expect(await stateOf(id)).toBe('submitted')
  })

  it('is for approvers: an editor reads why not', async () => {
    const page = await signedIn(api.sessions.editor).open(`${base}/approvals/message/${await submitted()}`)
    expect(textOf(page)).toContain('Only approvers of this unit can decide.')
    expect(mainOf(page)).not.toContain('<form')
  })

  it('says so if the quota does not cover the message', async () => {
    const id = await submitted()
    await sql`update message set snapshot = jsonb_set(snapshot, '{quota,chat,estimatedPushes}', '1000000')
      where id = ${id}`.execute(api.database.db)
    const words = textOf(await approver().open(`${base}/approvals/message/${id}`))
    expect(words).toContain('The quota does not cover it.')
    expect(words).not.toContain('Approve: ')
  })
})

describe('rejecting', () => {
  it('takes a reason, which the page then shows', async () => {
    const id = await submitted()
    const browser = approver()
    const page = await browser.open(`${base}/approvals/message/${id}`)
    const missing = await press(browser, page, 'Reject', { reason: '  ' })
    expect([missing.response.status, textOf(missing)]).toEqual([
      400,
      expect.stringContaining('Give a reason'),
    ])
    expect(missing.text).toMatch(/<form[^>]*>.*Give a reason.*<textarea [^>]*autofocus/s)
    const long = await press(browser, page, 'Reject', { reason: '長'.repeat(1_001) })
    expect([long.response.status, long.text]).toEqual([400, expect.stringContaining('長'.repeat(1_001))])
    const unstorable = await press(browser, page, 'Reject', { reason: 'a\u0000b' })
    expect(unstorable.response.status).toBe(400)
    expect(await stateOf(id)).toBe('submitted')
    const done = await press(browser, page, 'Reject', { reason: 'The date\r\nis <wrong>.' })
    expect(textOf(done)).toMatch(/Rejected: Approver, .* Reason: The date is <wrong>\./)
    expect(await stateOf(id)).toBe('rejected')
  })
})

describe('without a session', () => {
  it('a link leads to sign-in, and from there back to the page', async () => {
    const path = `/approvals/message/${await submitted()}`
    const browser = new Browser()
    const form = await browser.open(`${base}${path}`)
    expect(form.url).toContain(new URL(fixture.identity.issuer).host)
    const back = await browser.submit(form, { login: 'approver@example.org', password: 'anything' })
    expect([back.url, back.response.status]).toEqual([`${base}${path}`, 200])
    expect(textOf(back)).toContain('Approve: send to 3 people')
  })

  it('returns to a path of this host only', async () => {
    const { response } = await new Browser().ask(`${base}/approvals/message/${randomUUID()}?x=\\evil`)
    const login = new URL(response.headers.get('location')!)
    expect(`${login.origin}${login.pathname}`).toBe(`${base}/v1/auth/login`)
    expect(login.searchParams.get('returnTo')).toMatch(/^\/approvals/)
  })

  it.each(['none', 'over'] as const)(
    'a decision does not count, and the page leads to sign-in (%s)',
    async (which) => {
      const id = await submitted()
      const page = await approver().open(`${base}/approvals/message/${id}`)
      const { fields } = formIn(page, 'Reject')
      const browser = which === 'none' ? new Browser() : signedIn(api.sessions.over)
      const answer = await browser.submit(page, { ...fields, reason: 'no' })
      expect(answer.response.status).toBe(401)
      expect(textOf(answer)).toContain('Your session has ended, and nothing was changed.')
      expect(answer.text).toContain(encodeURIComponent(`/approvals/message/${id}`))
      expect(await stateOf(id)).toBe('submitted')
    },
  )
})

describe('another site', () => {
  it('cannot decide with the session of a browser', async () => {
    const id = await submitted()
    const page = await approver().open(`${base}/approvals/message/${id}`)
    const { fields } = formIn(page, 'Reject')
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example.com' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign) {
      const body = new URLSearchParams({ ...fields, reason: 'no' })
      const answer = await approver().ask(page.url, { method: 'POST', body, headers })
      expect(answer.response.status).toBe(403)
      expect(answer.response.headers.get('content-type')).toContain('text/html')
    }
    expect(await stateOf(id)).toBe('submitted')
  })
})

describe('the page of a scenario', () => {
  const lookup = {
    nodes: [
      {
        id: 'ask',
        kind: 'question',
        timeoutSeconds: 172_800,
        message: {
          kind: 'quickReply',
          text: { 'zh-TW': '{{ day }} 來嗎<？', en: 'Coming on {{ day }}?' },
          options: [{ id: 'yes', label: yes }],
        },
      },
      {
        id: 'seats',
        kind: 'lookup',
        method: 'POST',
        url: 'https://sis.example.edu/seats',
        variables: ['day'],
      },
      { id: 'done', kind: 'message', messages: [{ kind: 'text', text }] },
      { id: 'over', kind: 'end' },
    ],
    edges: [
      { from: 'ask', to: 'seats', when: { kind: 'option', optionId: 'yes' } },
      { from: 'ask', to: 'over', when: { kind: 'timeout' } },
      { from: 'seats', to: 'done' },
      { from: 'seats', to: 'over', when: { kind: 'error' } },
      { from: 'done', to: 'over' },
    ],
  }

  it('shows the graph, each text with names for variables, triggers, Lookups, cost and reason', async () => {
    await sql`insert into lookup_endpoint (origin, created_by) values ('https://sis.example.edu', 'person:x')`.execute(
      api.database.db,
    )
    const id = await scenario({ ...lookup, triggers: { keywords: ['tour'] }, description: 'For visitors' })
    const page = await approver().open(`${base}/approvals/scenario/${id}`)
    const words = textOf(page)
    for (const part of [
      'Scenarios of this category need the approval of a person.',
      'When a person types “tour”',
      'POST https://sis.example.edu/seats, sends the person&#39;s id and day',
      'At most 2 chat pushes for each person and run',
      'By mail, at most 2 mails for each person and run',
      'For visitors',
      '1. Question (ask)',
      '⟨day⟩ 來嗎<？',
      'Coming on ⟨day⟩?',
      '“I will come” → step 2 (Lookup)',
      'No answer in 2 days → step 4 (End)',
      'Approve version 1',
    ])
      expect(words).toContain(part)
    const picture = /<svg xmlns.*?<\/svg>/s.exec(page.text)![0]
    expect(picture).toContain('<title id="graph-title">The scenario as a graph</title>')
    expect(picture).toContain('<text class="head" x=')
    expect(picture).toContain('1 · Question</text>')
    expect(page.text).not.toContain('<script')
  })

  it('shows the farewell in both languages, when it is said, and what it costs', async () => {
    const farewell = { 'zh-TW': '活動取消了', en: 'It is cancelled' }
    const id = await scenario({ farewell })
    const words = textOf(await approver().open(`${base}/approvals/scenario/${id}`))
    for (const part of [
      'Retiring the scenario costs one more for each open conversation.',
      'When the unit retires the scenario, people with an open conversation receive this text, without another approval.',
      ...Object.values(farewell),
    ])
      expect(words).toContain(part)
    const without = await scenario({ farewell: undefined })
    expect(textOf(await approver().open(`${base}/approvals/scenario/${without}`))).not.toContain('Retiring')
  })

  it('warns of an option that people leave by, if they type it', async () => {
    const [ask, ...rest] = lookup.nodes
    const options = [{ id: 'yes', label: { 'zh-TW': '取消' } }]
    const nodes = [{ ...ask, message: { ...ask!.message, options } }, ...rest]
    const id = await scenario({ ...lookup, nodes })
    const words = textOf(await approver().open(`${base}/approvals/scenario/${id}`))
    expect(words).toContain('An option is an exit keyword')
  })

  it('says why it cannot be approved: its category is disabled, or another one has its trigger', async () => {
    const triggers = { keywords: ['open day'] }
    const [first, id] = [await scenario({ triggers }), await scenario({ triggers })]
    await api.call('approveScenario', { session: api.sessions.approver, id: first, body: { version: 1 } })
    const words = async () => textOf(await approver().open(`${base}/approvals/scenario/${id}`))
    expect(await words()).toContain('Another scenario')
    await sql`update category set enabled = false where id = 'manual'`.execute(api.database.db)
    expect(await words()).toContain('category')
    expect(await words()).not.toContain('Another scenario')
    await sql`update category set enabled = true where id = 'manual'`.execute(api.database.db)
    const body = { version: 1, reason: 'Not now.' }
    expect((await api.call('rejectScenario', { session: api.sessions.approver, id, body })).status).toBe(200)
  })

  it('is approved in two taps, and tells what changed since the version in force', async () => {
    const id = await scenario()
    const browser = approver()
    const page = await browser.open(`${base}/approvals/scenario/${id}`)
    const confirm = await press(browser, page, 'Approve version 1')
    const done = await press(browser, confirm, 'Yes.')
    expect(textOf(done)).toContain('Approved: Approver')
    const { body } = await api.call('getScenario', { key: api.keys.a, id })
    const [first, ...rest] = body.nodes
    const message = { ...first.message, text: { 'zh-TW': '改期，還來嗎？' } }
    const changed = { ...newScenario({ categoryId: 'manual' }), nodes: [{ ...first, message }, ...rest] }
    await api.call('putScenario', { key: api.keys.a, id, body: { ...changed, state: 'active' } })
    const second = await browser.open(`${base}/approvals/scenario/${id}`)
    expect(textOf(second)).toContain('2 (version 1 is in use)')
    expect(textOf(second)).toMatch(/Compared with version 1: ask Removed: .*星期六.* New: 改期，還來嗎？/)
    const refused = await press(browser, second, 'Reject', { reason: '時間不對' })
    expect(textOf(refused)).toContain('Reason: 時間不對')
  })
})

describe('what changed in a scenario', () => {
  const choose = { id: 'choose', kind: 'branch' }
  const over = { id: 'over', kind: 'end' }
  const link = (url: string) => [
    { kind: 'buttons', text: { 'zh-TW': '請看' }, actions: [{ kind: 'uri', label: { 'zh-TW': '看' }, url }] },
  ]
  const says = (url = 'https://example.edu', chinese = '您好') => ({
    id: 'say',
    kind: 'message',
    messages: [{ kind: 'text', text: { 'zh-TW': chinese } }, ...link(url)],
  })
  const is = (value: unknown, to = 'say') => ({
    from: 'choose',
    to,
    when: { kind: 'equals', variable: 'day', value },
  })
  const rest = [
    { from: 'choose', to: 'over', when: { kind: 'otherwise' } },
    { from: 'say', to: 'over' },
  ]
  const greets = [{ name: 'greet', default: 'Welcome' }]
  const first = { nodes: [choose, says(), over], edges: [is('1'), is(2, 'over'), ...rest], variables: greets }

  /** The page of version 2, after version 1 was approved. */
  async function changed(before: object, after: object): Promise<string> {
    const id = await scenario({ ...first, ...before })
    const { status } = await api.call('approveScenario', {
      session: api.sessions.approver,
      id,
      body: { version: 1 },
    })
    expect(status).toBe(200)
    const body = { ...newScenario({ categoryId: 'manual' }), ...first, ...before, ...after, state: 'active' }
    expect((await api.call('putScenario', { key: api.keys.a, id, body })).body.version).toBe(2)
    return textOf(await approver().open(`${base}/approvals/scenario/${id}`)).replaceAll('&quot;', '"')
  }

  it('shows every text that is written in Liquid, and default values', async () => {
    const greeting = (words: string) =>
      says('https://example.edu', `{{ "" | append: "${words}" }} {{ greet }}`)
    const nodes = (words: string) => ({ nodes: [choose, greeting(words), over] })
    const words = await changed(nodes('Hello'), {
      ...nodes('Send your password'),
      variables: [{ name: 'greet', default: 'Pay NT$5000' }],
    })
    expect(words).toMatch(
      /variables Removed: greet, by default "Welcome" \(optional\) New: .*"Pay NT\$5000"/i,
    )
    expect(words).toMatch(/say Removed: .*append: "Hello" }} ⟨greet⟩ New: .*append: "Send your password"/)
  })

  it.each([
    ['of a filter', { nodes: [choose, says('https://a.example/{{ s | append: "@evil" }}'), over] }, '@evil'],
    [
      'of a link',
      { nodes: [choose, says('{{ s | prepend: "https://evil.example/" }}'), over] },
      'evil.example',
    ],
    [
      'of the order of edges',
      { edges: [is(2, 'over'), is('1'), ...rest] },
      'day is 2 → over day is "1" → say',
    ],
    ['of a number to a text', { edges: [is(1), is(2, 'over'), ...rest] }, 'New: day is 1 → say'],
    [
      'of the farewell',
      { farewell: { 'zh-TW': '請點 https://evil.example' } },
      'Farewell Removed: 這次導覽的報名已經結束，謝謝您。 Registration for this tour is over. Thank you. New: 請點 https://evil.example',
    ],
    ['of the order of steps', { nodes: [choose, over, says(undefined, '{{ day }}')] }, 'New: over'],
    ['of a name in brackets', { nodes: [choose, says(undefined, '⟨day⟩'), over] }, '"zh-TW":"⟨day⟩"'],
    [
      'of the order in which edges are written',
      { edges: [rest[1], ...first.edges.slice(0, 3)] },
      'Order of the edges',
    ],
  ])('shows a change %s', async (_what, after, line) => {
    const nodes = [choose, says(undefined, '{{ day }}'), over]
    const words = await changed({ nodes }, { nodes, ...after })
    expect(words).toMatch(/Compared with version 1: \w/)
    expect(words.split('Compared with version 1:')[1]!.split('Content')[0]).toContain(line)
  })

  it('names the scenario of a button, and the one that a step led to before', async () => {
    const [old, fresh] = [await scenario({ name: 'Old tour' }), await scenario({ name: 'New tour' })]
    const leads = (scenarioId: string) => {
      const button = { kind: 'jumpScenario', label: { 'zh-TW': '去' }, scenarioId }
      const messages = [{ kind: 'buttons', text: { 'zh-TW': '請選' }, actions: [button] }]
      const nodes = [
        { id: 'say', kind: 'message', messages },
        { id: 'on', kind: 'jump', scenarioId },
      ]
      return { nodes, edges: [{ from: 'say', to: 'on' }], variables: [] }
    }
    const words = await changed(leads(old), leads(fresh))
    expect(words).toContain('scenarioId New tour')
    expect(words).toContain('Removed: Continues in the scenario “Old tour”')
    expect(words).toContain('去 starts the scenario “New tour”')
    expect(words).not.toContain(old)
  })
})

it('a button names the scenario that it starts, in a message and in a template', async () => {
  const scenarioId = await scenario({ name: 'Tour' })
  const actions = [{ kind: 'jumpScenario', label: yes, scenarioId }]
  const messages = [{ kind: 'buttons', text, actions }]
  for (const path of [`message/${await submitted({ messages })}`, `template/${await template(messages)}`]) {
    const words = textOf(await approver().open(`${base}/approvals/${path}`))
    expect(words, path).toContain('I will come starts the scenario “Tour”')
  }
})

describe('what changed in a template', () => {
  it('is shown, default values and links as well', async () => {
    const fields = { name: 'Linked', categoryId: 'news', variables: [{ name: 'a', default: 'x' }] }
    const linked = (url: string) => [{ kind: 'buttons', text, actions: [{ kind: 'uri', label: yes, url }] }]
    const { id } = (
      await api.call('createTemplate', {
        key: api.keys.a,
        body: { ...fields, messages: linked('https://example.edu') },
      })
    ).body
    await api.call('approveTemplate', { session: api.sessions.approver, id })
    const body = { messages: linked('https://evil.example'), variables: [{ name: 'a', default: 'y' }] }
    await api.call('createTemplateVersion', { key: api.keys.a, id, body })
    const words = textOf(await approver().open(`${base}/approvals/template/${id}`))
    expect(words).toContain('Block 1 Removed: url https://example.edu New: url https://evil.example')
    expect(words).toMatch(/a, by default &quot;x&quot; \(optional\) New: a, by default &quot;y&quot;/)
  })
})

describe('a category whose links are tracked', () => {
  const tracked = (links: 'tracked' | 'direct') =>
    sql`update category set links = ${links} where id in ('manual', 'news')`.execute(api.database.db)
  beforeAll(() => tracked('tracked'))
  afterAll(() => tracked('direct'))

  const buttons = (...urls: string[]) => [
    { kind: 'buttons', text, actions: urls.map((url) => ({ kind: 'uri', label: yes, url })) },
  ]
  const says = (messages: object[]) => ({
    nodes: [
      { id: 'say', kind: 'message', messages },
      { id: 'over', kind: 'end' },
    ],
    edges: [{ from: 'say', to: 'over' }],
  })
  const pageOf = async (path: string) => textOf(await approver().open(`${base}/approvals/${path}`))
  const first = () => `lead to ${base}/l/… first, and from there to the page shown.`

  it('has the page of a message say where its links lead, as they were frozen', async () => {
    const path = `message/${await submitted({ messages: buttons('https://example.edu/come', 'tel:+886212345678') })}`
    const before = await pageOf(path)
    expect(before).toContain(`Clicks are counted: buttons that open a web page ${first()}`)
    expect(before).toContain('The mail previews show the URLs of the pages themselves.')
    expect(before).toContain(`I will come https://example.edu/come by way of ${base}/l/…`)
    expect(before).toMatch(/I will come tel:\+886212345678 (?!by way)/)
    expect(before).toMatch(/→ I will come https:\/\/example\.edu\/come/)
    await tracked('direct')
    expect(await pageOf(path)).toBe(before)
    const direct = `message/${await submitted()}`
    await tracked('tracked')
    expect(await pageOf(direct)).not.toMatch(/Links|by way of/)
  })

  it('in Chinese too', async () => {
    const path = `message/${await submitted()}`
    await sql`update person set language = 'zh-TW'`.execute(api.database.db)
    const words = await pageOf(path)
    await sql`update person set language = 'en'`.execute(api.database.db)
    expect(words).toContain(`連結 系統會統計點擊次數：開啟網頁的按鈕會先連到 ${base}/l/…，再轉往所示的網頁。`)
    expect(words).toContain(`https://example.edu/come（經由 ${base}/l/…）`)
  })

  it('has those of a template and of its binding say so, for links that variables make as well', async () => {
    const id = await template(buttons('{{ page }}', 'mailto:office@example.edu'), {
      variables: [{ name: 'page', default: 'https://example.edu' }],
    })
    const words = await pageOf(`template/${id}`)
    expect(words).toContain(first())
    expect(words).toContain(`{{ page }} by way of ${base}/l/…`)
    expect(words).toMatch(/mailto:office@example\.edu (?!by way)/)
    await api.call('approveTemplate', { session: api.sessions.approver, id })
    const bound = await binding({ ...toItsSubjects, templateId: id })
    expect(await pageOf(`event_binding/${bound}`)).toContain(first())
  })

  it('has those of a scenario and of its binding say that its turns are not', async () => {
    const scenarioId = await scenario(says(buttons('https://example.edu/come')))
    for (const path of [`scenario/${scenarioId}`, `event_binding/${await scenarioBinding(scenarioId)}`]) {
      const words = await pageOf(path)
      expect(words, path).toContain('Links in a conversation open their page directly and are not counted.')
      expect(words, path).not.toContain('by way of')
    }
  })

  it('says nothing where nothing opens a web page', async () => {
    const plain = [{ kind: 'text', text }]
    const paths = [
      `message/${await submitted({ messages: plain })}`,
      `template/${await template(plain)}`,
      `scenario/${await scenario(says(plain))}`,
    ]
    for (const path of paths) expect(await pageOf(path), path).not.toMatch(/Links|counted/)
  })
})

describe('what does not exist', () => {
  it.each([
    ['an unknown id', () => `message/${randomUUID()}`],
    ['no id', () => 'message/none'],
    ['an unknown kind', () => `pattern/${randomUUID()}`],
  ])('has a page that says so: %s', async (_what, path) => {
    const page = await approver().open(`${base}/approvals/${path()}`)
    expect([page.response.status, textOf(page)]).toEqual([
      404,
      expect.stringContaining('This does not exist'),
    ])
  })

  it('is for others the same as another unit’s', async () => {
    const path = `${base}/approvals/message/${await submitted()}`
    expect((await signedIn(api.sessions.otherApprover).open(path)).response.status).toBe(404)
  })
})

describe('the list', () => {
  it('and the start page show what waits for the approver, each with its link', async () => {
    const ids = {
      message: await submitted(),
      template: await template(),
      event_binding: await binding(),
      scenario: await scenario(),
    }
    for (const path of ['/approvals', '/']) {
      const page = await approver().open(`${base}${path}`)
      // The start page has the most urgent, and leads to all.
      if (path === '/') expect(mainOf(page)).toMatch(/<a href="\/approvals">All \d+<\/a>/)
      else
        for (const [kind, id] of Object.entries(ids)) expect(page.text).toContain(`/approvals/${kind}/${id}"`)
      const own = await signedIn(api.sessions.otherApprover).open(`${base}${path}`)
      expect(textOf(own)).toContain('Nothing is waiting for approval.')
    }
    const editor = await signedIn(api.sessions.editor).open(`${base}/`)
    expect(editor.text).not.toContain('/approvals/')
  })

  it('stands beside each one, and leads from a decision to the next that the reader may decide', async () => {
    const first = await submitted({
      messages: [{ kind: 'text', text: { 'zh-TW': '第一則', en: 'The first one' } }],
    })
    await sql`update message set changed_at = now() - interval '1 day' where id = ${first}`.execute(
      api.database.db,
    )
    const besides = /<nav class="beside".*<\/nav>/s
    const path = `${base}/approvals/message/${first}`
    const [beside] = besides.exec((await approver().open(path)).text)!
    expect(beside).toContain(`/approvals/message/${first}" aria-current="page">The first one`)
    const browser = approver()
    const confirming = await press(browser, await browser.open(path), 'Approve')
    const done = await press(browser, confirming, 'Yes')
    const next = /<a class="strong" href="(\/approvals\/[^"]+)">Next: /.exec(done.text)![1]!
    expect(next).not.toContain(first)
    expect(mainOf(done)).toContain(`<a href="/messages/${first}">`)
    expect(mainOf(await approver().open(`${base}${next}`))).toContain('<button class="strong">Approve')
    const editor = await signedIn(api.sessions.editor).open(path)
    expect(besides.exec(editor.text)).toBeNull()
  })

  it('continues on further pages', async () => {
    await sql`insert into template (unit_id, category_id, name) select ${api.units.a}, 'news', 'T' || n
      from generate_series(1, 60) n`.execute(api.database.db)
    await sql`insert into template_version (template_id, version, messages, created_by)
      select id, 1, '[]', 'key:x' from template where name like 'T%'`.execute(api.database.db)
    const first = await approver().open(`${base}/approvals`)
    const next = /<a href="(\/approvals\?[^"]*)">Next page/.exec(first.text)![1]!.replaceAll('&amp;', '&')
    const second = await approver().open(`${base}${next}`)
    expect(second.response.status).toBe(200)
    expect(second.text).toMatch(/T\d+/)
    for (const unitId of ['x', api.units.b])
      expect((await approver().open(`${base}/approvals?unitId=${unitId}&skip=1`)).response.status).toBe(403)
  })

  it('has what is sent next first, with people and time, and finds words of a title', async () => {
    await submitted({ scheduleAt: '2099-12-02T01:00:00Z' })
    const next = await submitted({ scheduleAt: '2099-12-01T01:00:00Z' })
    const page = await approver().open(`${base}/approvals`)
    expect(mainOf(page).indexOf(next)).toBeLessThan(mainOf(page).indexOf('Dec 2, 2099'))
    expect(textOf(page)).toMatch(/3 people · sent Dec 1, 2099, 09:00 Message · from .* · submitted \d\d:\d\d/)
    expect(textOf(await approver().open(`${base}/approvals?q=no+such`))).toContain('Nothing matches.')
    expect(mainOf(await approver().open(`${base}/approvals?q=REGISTRATION`))).toContain(next)
  })
})

describe('the unit', () => {
  const unitName = { 'zh-TW': '招生組', en: 'Office of Admissions' }
  const show = (displayName: typeof unitName | null) =>
    sql`update unit set display_name = ${displayName && JSON.stringify(displayName)} where id = ${api.units.a}`.execute(
      api.database.db,
    )
  afterAll(() => show(null))

  it('is named to each reader in their language', async () => {
    await show(unitName)
    const id = await submitted()
    const { fields } = formIn(await approver().open(`${base}/approvals/message/${id}`), 'Approve')
    const paths = [`/approvals/message/${id}`, `/approvals/message/${id}?${new URLSearchParams(fields)}`, '/']
    for (const path of paths) {
      const page = await approver().open(`${base}${path}`)
      expect(page.text, path).toContain('Office of Admissions')
      expect(page.text, path).not.toMatch(/>Admissions[<:]/)
    }
    await sql`update person set language = 'zh-TW'`.execute(api.database.db)
    for (const path of paths) expect((await approver().open(`${base}${path}`)).text, path).toContain('招生組')
    await sql`update person set language = 'en'`.execute(api.database.db)
  })
})

describe.skipIf(browserPath === undefined)('in a browser without JavaScript', () => {
  it('a mail’s link leads through sign-in to an approval in two taps, on a phone', async () => {
    const id = await submitted()
    const browser = await startBrowser()
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      javaScriptEnabled: false,
    })
    const page = await context.newPage()
    await page.goto(`${base}/approvals/message/${id}`)
    if (await page.locator('summary').count()) await page.click('summary')
    await page.fill('input[name=login]', 'approver@example.org')
    await page.press('input[name=login]', 'Enter')
    await page.waitForURL(`${base}/approvals/message/${id}`)
    const { width } = (await page.locator('body').boundingBox())!
    expect(width).toBe(390)
    await page.click('button:has-text("Approve: send to 3 people")')
    await page.click('button:has-text("Yes,")')
    expect(await page.locator('[role=status]').innerText()).toContain('Approved: Approver')
    await context.close()
    await browser.close()
    expect(await stateOf(id)).toBe('approved')
  })
})

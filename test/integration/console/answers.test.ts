import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertAnswer } from '../../../src/db/queries/answer/answer.ts'
import { forConsole } from '../../fixtures/console.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { mainOf, textOf } from '../../fixtures/pages.ts'
import { insertRow } from '../../fixtures/rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import type { SignInFixture } from '../../fixtures/sign-in.ts'
import { type Browser, signedIn } from '../../fixtures/sign-in-browser.ts'
import { beginWriting, ownOrigin, press } from '../../fixtures/written-form.ts'

let api: SignInFixture['api']
let base: string
let messageId: string
let ids: Record<string, string>
const people = 60
const fixture = forConsole()
beforeAll(async () => {
  ;({ api, baseUrl: base } = fixture)
  const { db } = api.database
  await sql`insert into subject (uid, display_name) select 'p' || n, 'Person ' || n from generate_series(1, ${people}) as n`.execute(
    db,
  )
  const rows = await db.selectFrom('person').select(['id', 'name']).execute()
  ids = Object.fromEntries(rows.map(({ id, name }) => [name, id]))
  const messages = [
    {
      ...{ kind: 'quickReply', text: { 'zh-TW': '您會來嗎？', en: 'Do you come?' } },
      options: [
        { id: 'yes', label: { 'zh-TW': '會', en: 'Yes' } },
        { id: 'no', label: { 'zh-TW': '不會', en: 'No' } },
      ],
    },
  ]
  const title = { 'zh-TW': '茶會', en: 'Tea' }
  messageId = (
    await insertSentMessage(api, { ...newMessage, categoryId: 'manual', subject: title, messages })
  ).id
  const subjects = await db.selectFrom('subject').select(['id', 'uid']).where('uid', 'like', 'p%').execute()
  for (const { id: subjectId, uid } of subjects)
    await insertAnswer(db, {
      ...{ messageId, subjectId, question: '0', n: 0, o: '0', optionId: uid === 'p1' ? 'no' : 'yes' },
      ...{ data: null, channel: 'chat', at: new Date('2026-12-01T01:12:40Z') },
    })
  await sql`update wave set expected = ${people + 20}, sent = ${people + 20},
    by_channel = '{"chat": {"expected": 80, "sent": 80, "failed": 0, "unknown": 0, "skipped": {}}}'
    where message_id = ${messageId}`.execute(db)
})

const editor = () => signedIn(api.sessions.editor)
const approver = () => signedIn(api.sessions.approver)
const post = (browser: Browser, path: string, form: [string, string][]) =>
  browser.open(`${base}${path}`, {
    method: 'POST',
    headers: ownOrigin(base),
    body: new URLSearchParams(form),
  })

describe('the answers to a message', () => {
  it('are counted of all to whom it was sent, and people come before deliveries', async () => {
    const text = textOf(await approver().open(`${base}/messages/${messageId}`))
    expect(text).toContain('80 people: 80 reached, 60 answered (75%)')
    expect(text).toMatch(/Yes 59 people \(74%\)/)
    expect(text).toMatch(/No 1 person \(1%\)/)
    expect(text).toMatch(/80 of 80 people done/)
  })

  it('are listed page by page, searched by name without naming it in an address, and downloaded', async () => {
    const browser = approver()
    const page = await browser.open(`${base}/messages/${messageId}`)
    expect(mainOf(page)).toContain(`href="/messages/${messageId}/answers"`)
    const list = await browser.open(`${base}/messages/${messageId}/answers`)
    expect(textOf(list)).toMatch(/Uid Name Do you come\? Answered/)
    expect(textOf(list)).toMatch(/p1 Person 1 No/)
    expect(list.text.match(/<th scope="row" class="whole">/g)).toHaveLength(50)
    const [, cursor] = /name="cursor" value="([^"]+)"/.exec(list.text)!
    const next = await post(browser, `/messages/${messageId}/answers`, [['cursor', cursor!]])
    expect(next.text.match(/<th scope="row" class="whole">/g)).toHaveLength(people - 50)
    const matches = await post(browser, `/messages/${messageId}/answers`, [['q', 'person 7']])
    expect([matches.url, matches.text.match(/<th scope="row" class="whole">/g)]).toEqual([
      `${base}/messages/${messageId}/answers`,
      [expect.any(String)],
    ])
    const table = await browser.open(`${base}/messages/${messageId}/answers.csv`)
    expect(table.text).toMatch(/^\uFEFF?Uid,Name,Do you come\?,Answered \(Asia\/Taipei\)\r\n/)
    expect(table.text).toContain('p1,Person 1,No,2026-12-01 09:12')
  })

  it('are shown to nobody who may not read them: an approver names who organises, who then reads from then on', async () => {
    const own = editor()
    const answers = `${base}/messages/${messageId}/answers`
    expect((await own.open(answers)).response.status).toBe(403)
    expect(textOf(await own.open(`${base}/messages/${messageId}`))).toContain('ask an approver to name you')
    const named = await post(approver(), `/messages/${messageId}`, [
      ['act', 'organise'],
      ['organiser', ids.Editor!],
    ])
    expect(textOf(named)).toMatch(/The organisers were changed\..*Organisers Editor/s)
    const list = await own.open(answers)
    expect([list.response.status, textOf(list).includes('Nobody has answered yet')]).toEqual([200, true])
    const refused = await post(own, `/messages/${messageId}`, [['act', 'organise']])
    expect(refused.response.status).toBe(403)
    expect((await signedIn(api.sessions.otherApprover).open(answers)).response.status).toBe(404)
  })
})

describe('organisers', () => {
  it('are named where a message is submitted, and shown to its approver', async () => {
    const headers = { 'idempotency-key': 'organised' }
    const options = [{ id: 'yes', label: { 'zh-TW': '會' } }]
    const messages = [{ kind: 'quickReply', text: { 'zh-TW': '來嗎？' }, options }]
    const body = { ...newMessage, categoryId: 'manual', messages }
    const { id } = (await api.call('createMessage', { session: api.sessions.editor, headers, body })).body
    const browser = editor()
    const confirmation = await browser.open(`${base}/messages/${id}?act=submit`)
    const [, version] = /name="version" value="(\d+)"/.exec(confirmation.text)!
    const [, key] = /name="key" value="([^"]+)"/.exec(confirmation.text)!
    expect(textOf(confirmation)).toContain('Organisers see what each person answers.')
    await post(browser, `/messages/${id}`, [
      ...([
        ['act', 'submit'],
        ['version', version!],
        ['key', key!],
      ] as [string, string][]),
      ['organiser', ids['Two units']!],
    ])
    const page = textOf(await approver().open(`${base}/approvals/message/${id}`))
    expect(page).toMatch(/Organisers Two units.*they see what each person answers/s)
  })

  it('are named where a pattern is written', async () => {
    const browser = editor()
    const [, unit] = /name="unit" value="([^"]+)"/.exec(mainOf(await browser.open(`${base}/patterns`)))!
    const form = await press(
      browser,
      await beginWriting(browser, base, { unit: unit!, type: 'survey' }),
      'check',
      {
        ...{ 'title.zh-TW': '意見', categoryId: 'manual', deadline: '2098-12-18T18:00' },
        ...{ 'questions.0.text.zh-TW': '好嗎？', 'questions.0.options.0.label.zh-TW': '好' },
        ...{ 'questions.0.options.1.label.zh-TW': '不好', 'organisers[]': [ids['Two units']!] },
      },
    )
    const page = await press(browser, form, 'submit')
    expect(textOf(page)).toContain('Organisers, who see what each person answers: Two units')
    const [, id] = /\/patterns\/([0-9a-f-]{36})/.exec(page.url)!
    const { body } = await api.call('getPattern', { session: api.sessions.editor, id: id! })
    expect(body).toMatchObject({ scenarioState: 'submitted', organisers: [{ name: 'Two units' }] })
  })

  it('are named where a pattern is opened, and shown on its page', async () => {
    const browser = editor()
    const { categoryId, deadline } = { categoryId: 'manual', deadline: '2098-12-18T18:00:00+08:00' }
    const title = { 'zh-TW': '茶會', en: 'Tea' }
    const body = { type: 'registration' as const, name: 'Tea', categoryId, title, deadline }
    const { id, scenarioId } = (await api.call('createPattern', { session: api.sessions.editor, body })).body
    const opened = await post(browser, `/patterns/${id}`, [
      ['act', 'activate'],
      ['organiser', ids['Two units']!],
    ])
    expect(textOf(opened)).toContain('Organisers, who see what each person answers: Two units')
    const decides = textOf(await approver().open(`${base}/approvals/scenario/${scenarioId}`))
    expect(decides).toContain('Organisers, who see what each person answers: Two units')
    await insertRow(api.database.db, 'registration', { pattern_id: id, place: 1, state: 'registered' })
    const list = textOf(await approver().open(`${base}/patterns/${id}/answers`))
    expect(list).toMatch(
      /Order Uid Name State Would you like to register\? Answered 1 \(erased\) +has a place/,
    )
  })
})

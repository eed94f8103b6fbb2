import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Pattern } from '../../../src/contract/patterns/pattern.ts'
import { forConsole } from '../../fixtures/console.ts'
import { mainOf, textOf } from '../../fixtures/pages.ts'
import type { SignInFixture } from '../../fixtures/sign-in.ts'
import { type Browser, type Step, signedIn } from '../../fixtures/sign-in-browser.ts'
import { beginWriting, fieldsOf, ownOrigin, press } from '../../fixtures/written-form.ts'

let api: SignInFixture['api']
let base: string
const fixture = forConsole()
beforeAll(async () => {
  ;({ api, baseUrl: base } = fixture)
  await sql`update category set approval_rule = 'auto' where id = 'news'`.execute(api.database.db)
})

const editor = () => signedIn(api.sessions.editor)
const approver = () => signedIn(api.sessions.approver)
const post = (browser: Browser, path: string, form: Record<string, string>) =>
  browser.open(`${base}${path}`, {
    method: 'POST',
    headers: ownOrigin(base),
    body: new URLSearchParams(form),
  })

async function begin(browser: Browser, type: Pattern['type']): Promise<Step> {
  const list = await browser.open(`${base}/patterns`)
  const [, unit] = /name="unit" value="([^"]+)"/.exec(mainOf(list))!
  return beginWriting(browser, base, { unit: unit!, type })
}

const complete = {
  'title.zh-TW': '校友茶會',
  'title.en': 'Alumni tea',
  categoryId: 'news',
  deadline: '2098-12-18T18:00',
  'capacity#': '30',
  'waitingList#': 'true',
}

/** A pattern that was created in a browser. */
async function created(type: Pattern['type'], values: Record<string, string> = complete): Promise<Step> {
  const browser = editor()
  return press(browser, await press(browser, await begin(browser, type), 'check', values), 'submit')
}

const patternIn = async ({ url }: Step): Promise<Pattern> => {
  const [, id] = /\/patterns\/([0-9a-f-]{36})/.exec(url)!
  return (await api.call('getPattern', { session: api.sessions.editor, id: id! })).body
}

describe('a pattern written as a form', () => {
  it('shows the conversation before it is created, opens, and people are invited', async () => {
    const browser = editor()
    const form = await press(browser, await begin(browser, 'rsvp'), 'add choice', complete)
    const answer = await press(browser, form, 'check', {
      'questions.0.text.zh-TW': '午餐？',
      'questions.0.text.en': 'Lunch?',
      'questions.0.options.0.label.zh-TW': '葷食',
      'questions.0.options.1.label.zh-TW': '素食',
    })
    expect(textOf(answer)).toMatch(
      /Will you come\?.*Yes, I will.*Lunch\?.*葷食.*We look forward to seeing you/s,
    )
    const page = await press(browser, answer, 'submit')
    const pattern = await patternIn(page)
    expect(pattern).toMatchObject({
      ...{ type: 'rsvp', name: '校友茶會', scenarioState: 'active', capacity: 30, waitingList: true },
      deadline: '2098-12-18T10:00:00.000Z',
    })
    expect(pattern.questions.map(({ id }) => id)).toEqual(['attend', 'q1'])
    expect(textOf(page)).toContain('It is open.')
    const invitation = await beginWriting(browser, base, { pattern: pattern.id })
    expect(fieldsOf(invitation)).toContainEqual(['messages.0.actions.0.scenarioId', pattern.scenarioId])
    const checked = await press(browser, invitation, 'check', { 'audience.roles[]': 'student' })
    const sent = await press(browser, checked, 'submit')
    const [, id] = /\/messages\/([0-9a-f-]{36})/.exec(sent.url)!
    const { body } = await api.call('getMessage', { session: api.sessions.editor, id: id! })
    expect(body.content.messages[0].actions).toEqual([
      { kind: 'jumpScenario', label: { 'zh-TW': '回覆', en: 'Reply' }, scenarioId: pattern.scenarioId },
    ])
    const decides = await approver().open(`${base}/approvals/message/${id}`)
    expect(decides.text).toContain(`<a href="/patterns/${pattern.id}">RSVP: `)
    expect(textOf(decides)).toContain('The conversation that the button starts')
  })

  it('names what is missing or wrong at its field, as the server does', async () => {
    const browser = editor()
    const survey = await press(browser, await begin(browser, 'survey'), 'check', {
      ...{ 'title.zh-TW': '意見', categoryId: 'news', deadline: '2020-01-01T09:00' },
      'questions.0.text.zh-TW': '{{ nothing.of.this }}好嗎？',
      'questions.0.options.0.label.zh-TW': '好',
      'questions.0.options.1.label.zh-TW': '不好',
    })
    expect(mainOf(survey)).not.toContain('value="submit"')
    expect(survey.text).toContain('data-code="in_the_past">must be later than now')
    expect(survey.text).toMatch(/id="questions-0-text-zh-TW-wrong" data-code="unknown_name">[^<]*nothing/)
    const rsvp = await press(browser, await begin(browser, 'rsvp'), 'add typed', complete)
    const missing = await press(browser, rsvp, 'check')
    expect(missing.text).toContain('href="#questions-0-text-zh-TW"')
    expect(textOf(missing)).toMatch(/Question 1, Text ?: is still empty/)
  })

  it('is created once, however often it is pressed', async () => {
    const browser = editor()
    const page = await press(browser, await begin(browser, 'registration'), 'check', {
      ...complete,
      'title.zh-TW': '只有一個',
    })
    const presses = await Promise.all([press(browser, page, 'submit'), press(browser, page, 'submit')])
    const [first, second] = presses.map(({ url }) => url)
    expect(first).toMatch(/\/patterns\/[0-9a-f-]{36}\?done=create$/)
    expect(second).toBe(first)
    expect((await press(browser, page, 'save')).url).toBe(first)
    const { rows } = await sql`select from pattern where title->>'zh-TW' = '只有一個'`.execute(
      api.database.db,
    )
    expect(rows).toHaveLength(1)
  })

  it('waits for an approver where its category wants one', async () => {
    const page = await created('registration', { ...complete, categoryId: 'manual' })
    expect(await patternIn(page)).toMatchObject({ scenarioState: 'submitted' })
    expect(textOf(page)).toContain('It opens once an approver has approved it.')
    const decides = await approver().open(page.url)
    expect(mainOf(decides)).toContain('/approvals/scenario/')
  })
})

describe('the page of a pattern', () => {
  it('moves the deadline and adds places, and says what the server refuses', async () => {
    const browser = editor()
    const page = await created('registration')
    const { id } = await patternIn(page)
    const fewer = await post(browser, `/patterns/${id}`, {
      ...{ act: 'change', deadline: '2098-12-18T18:00', capacity: '20' },
    })
    expect(fewer.response.status).toBe(400)
    expect(textOf(fewer)).toContain('never fewer places than before')
    const more = await post(browser, `/patterns/${id}`, {
      ...{ act: 'change', deadline: '2098-12-19T18:00', capacity: '40' },
    })
    expect(textOf(more)).toContain('It was changed.')
    expect(await patternIn(page)).toMatchObject({ capacity: 40, deadline: '2098-12-19T10:00:00.000Z' })
    const wrong = await post(browser, `/patterns/${id}`, { act: 'change', deadline: 'soon' })
    expect(wrong.response.status).toBe(400)
  })

  it('is tried with oneself alone, or says why it cannot be', async () => {
    const { id } = await patternIn(await created('rsvp'))
    const none = await post(editor(), `/patterns/${id}`, { act: 'try' })
    expect(none.response.status).toBe(400)
    expect(textOf(none)).toContain('It was not done')
    await sql`update person set subject_uid = (
      select uid from subject join address on subject_id = subject.id where channel = 'chat' limit 1)
      where name = 'Editor'`.execute(api.database.db)
    expect(textOf(await post(editor(), `/patterns/${id}`, { act: 'try' }))).toContain('Look at your phone.')
    const { rows } = await sql`select from scenario_run where test`.execute(api.database.db)
    expect(rows).toHaveLength(1)
  })

  it('is found by its name, and is not there for other units', async () => {
    const { id } = await patternIn(
      await created('registration', { ...complete, 'title.en': 'Found by name', 'title.zh-TW': '找得到' }),
    )
    expect(textOf(await editor().open(`${base}/patterns?q=找得到`))).toContain('Found by name')
    expect(textOf(await editor().open(`${base}/patterns?q=nothing`))).toContain('Nothing fits.')
    const other = signedIn(api.sessions.otherApprover)
    expect((await other.open(`${base}/patterns/${id}`)).response.status).toBe(404)
    expect((await post(other, `/patterns/${id}`, { act: 'activate' })).response.status).toBe(404)
    expect((await editor().open(`${base}/patterns/none`)).response.status).toBe(404)
  })
})

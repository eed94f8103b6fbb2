import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { forConsole } from '../../fixtures/console.ts'
import { mainOf, textOf } from '../../fixtures/pages.ts'
import type { SignInFixture } from '../../fixtures/sign-in.ts'
import { type Browser, signedIn } from '../../fixtures/sign-in-browser.ts'
import { beginWriting, press } from '../../fixtures/written-form.ts'

let api: SignInFixture['api']
let base: string
const fixture = forConsole()
beforeAll(() => {
  ;({ api, baseUrl: base } = fixture)
})

const open = (path: string, session = api.sessions.editor) => signedIn(session).open(`${base}${path}`)
const content = (text: string) => [{ kind: 'text', text: { 'zh-TW': `${text}（中文）`, en: text } }]
async function template(name: string, text = 'Dear {{ who }}, see you {{ when }}'): Promise<string> {
  const variables = [{ name: 'who' }, { name: 'when', default: 'tomorrow' }]
  const body = { name, categoryId: 'news', messages: content(text), variables }
  return (await api.call('createTemplate', { key: api.keys.a, body })).body.id
}

describe('the list of templates', () => {
  it('has a row for each, filters by state and finds words of a name', async () => {
    const id = await template('Open day 2026')
    const page = await open('/templates')
    expect(page.text).toContain(`<a href="/templates/${id}">Open day 2026</a>`)
    expect(textOf(page)).toMatch(/Open day 2026 To be approved .* test/)
    expect(mainOf(await open('/templates?q=DAY+2026&state=draft'))).toContain(id)
    expect(mainOf(await open('/templates?q=DAY+2026&state=rejected'))).not.toContain(id)
    expect(textOf(await open('/templates?q=nowhere'))).toContain('No template fits.')
    expect((await open('/templates?cursor=none')).response.status).toBe(400)
    expect((await open(`/templates?unit=${api.units.b}`)).response.status).toBe(404)
  })
})

describe('the page of a template', () => {
  it('shows the newest version on phones and in mails, with the values that are written', async () => {
    const id = await template('Greeting')
    const page = await open(`/templates/${id}`)
    expect(textOf(page)).toContain('Dear ⟨who⟩, see you tomorrow')
    expect(textOf(page)).toMatch(/who required .*when default: &quot;tomorrow&quot;/)
    const query = '?v.who=%3Cb%3EMei&v.when=on+Friday'
    const filled = await open(`/templates/${id}${query}`)
    expect(textOf(filled)).toContain('Dear <b>Mei, see you on Friday')
    expect(filled.text).not.toContain('<b>Mei')
    const [, frame] = /<iframe class="mail" src="([^"]+)"/.exec(filled.text)!
    const mail = await open(frame!.replaceAll('&amp;', '&'))
    expect([mail.response.status, mail.text.includes('on Friday')]).toEqual([200, true])
    expect(mail.response.headers.get('content-security-policy')).toContain('sandbox')
  })

  it('says that there is no preview for values that it cannot take', async () => {
    const id = await template('A list', '{% for one in who %}{{ one }}, {% endfor %}{{ when }}')
    expect(textOf(await open(`/templates/${id}?v.who=["Mei","Lin"]`))).toContain('Mei, Lin, tomorrow')
    const long = 'x'.repeat(900)
    const none = await open(`/templates/${id}?v.whom=${long}`)
    expect(none.response.status).toBe(200)
    expect(textOf(none)).toContain('The template cannot take these values')
    expect(none.text).not.toContain('class="phone"')
  })

  it('has each version with its decision, and compares them', async () => {
    const id = await template('Versions', 'The first text {{ who }} {{ when }}')
    const { approver } = api.sessions
    await api.call('approveTemplate', { session: approver, id, body: {} })
    const variables = [{ name: 'who' }]
    for (const text of ['The second text {{ who }}', 'The third text {{ who }}'])
      await api.call('createTemplateVersion', {
        key: api.keys.a,
        id,
        body: { messages: content(text), variables },
      })
    const page = textOf(await open(`/templates/${id}`))
    expect(page).toContain('Version 3; messages use version 1')
    expect(page).toMatch(/Compared with version 1: .*The first text .*The third text/)
    const other = textOf(await open(`/templates/${id}?compare=2`))
    expect(other).toMatch(/Compared with version 2: .*The second text .*The third text/)
    expect(mainOf(await open(`/templates/${id}`, approver))).toContain(`href="/approvals/template/${id}"`)
    await api.call('rejectTemplate', { session: approver, id, body: { reason: 'Say when.' } })
    expect(textOf(await open(`/templates/${id}`))).toMatch(/Version 3 Rejected .* Approver, .*Say when\./)
  })

  it('says what uses it, and is not there for another unit', async () => {
    const id = await template('Used')
    expect(textOf(await open(`/templates/${id}`))).toContain('No event binding and no schedule uses it.')
    const audience = { kind: 'query', roles: ['student'] }
    const binding = { source: 'sis', type: 'closing', categoryId: 'news', templateId: id, audience }
    await api.call('createEventBinding', { key: api.keys.a, body: binding })
    expect(textOf(await open(`/templates/${id}`))).toContain('Event binding: closing of sis')
    for (const named of [id, randomUUID(), 'not-an-id']) {
      const session = named === id ? api.sessions.otherApprover : api.sessions.editor
      const missing = await open(`/templates/${named}`, session)
      expect([missing.response.status, textOf(missing).includes('This template does not exist')]).toEqual([
        404,
        true,
      ])
    }
    expect((await open(`/templates/${id}/preview/chat/en`)).response.status).toBe(404)
  })
})

describe('a template written as a form', () => {
  const begin = (browser: Browser, form: Record<string, string>) => beginWriting(browser, base, form)

  it('has its variables, examples of them, and phones; then versions, each of which is decided about', async () => {
    const browser = signedIn(api.sessions.editor)
    const first = await begin(browser, { unit: api.units.a, type: 'template' })
    const withVariables = await press(
      browser,
      await press(browser, first, 'add textVariable'),
      'add numberVariable',
    )
    const chinese = '{{ field_1 }}，第 {{ field_2 }} 班。'
    const unlabelled = await press(browser, withVariables, 'check', {
      ...{ name: 'Shift', categoryId: 'manual', 'messages.0.text.zh-TW': chinese },
      ...{ 'variables.0.label.zh-TW': '姓名', 'variables.1.default#': '1' },
    })
    expect(textOf(unlabelled)).toContain('Field 2, Name of the field (Chinese) : is still empty')
    expect(mainOf(unlabelled)).not.toContain('value="submit"')
    const named = await press(browser, unlabelled, 'check', { 'variables.1.label.zh-TW': '班次' })
    expect(textOf(named)).toContain('⟨姓名⟩，第 1 班。')
    const preview = await press(browser, named, 'check', {
      'values.field_1': '王小明',
      'values.field_2#': '3',
    })
    expect(textOf(preview)).toContain('王小明，第 3 班。')
    const page = await press(browser, preview, 'submit')
    const [, id] = /\/templates\/([0-9a-f-]{36})/.exec(page.url)!
    const read = async () => (await api.call('getTemplate', { session: api.sessions.editor, id: id! })).body
    expect(await read()).toMatchObject({
      ...{ name: 'Shift', state: 'draft', version: 1 },
      variables: [
        { name: 'field_1', label: { 'zh-TW': '姓名' }, required: true },
        { name: 'field_2', label: { 'zh-TW': '班次' }, required: false, default: 1 },
      ],
    })
    const next = await begin(browser, { template: id! })
    expect(textOf(next)).toContain('A new version of “Shift”')
    expect((await begin(signedIn(api.sessions.editor), { template: id! })).url).toBe(next.url)
    const english = '{{ field_1 }}, shift {{ field_2 }}.'
    await press(browser, next, 'submit', { 'messages.0.text.en': english })
    for (const form of [preview, next]) expect((await press(browser, form, 'submit')).url).toBe(page.url)
    expect((await begin(browser, { template: id! })).url).not.toBe(next.url)
    expect(await read()).toMatchObject({
      version: 2,
      messages: [{ text: { 'zh-TW': chinese, en: english } }],
    })
    const approver = await open(`/approvals/template/${id}`, api.sessions.approver)
    expect(textOf(approver)).toContain('姓名 (field_1)')
    const message = await begin(browser, { unit: api.units.a })
    const filled = await press(browser, message, 'check', {
      ...{ categoryId: 'manual', content: 'template', templateId: id!, 'audience.kind': 'all' },
    })
    expect(mainOf(filled)).toContain('<label for="variables-field_1">姓名')
    expect(textOf(filled)).toMatch(/Change the fields that are marked: 姓名 : is still empty/)
    expect(textOf(filled)).toContain('⟨姓名⟩, shift 1.')
  })

  it('names a variable that is not listed at the text that uses it', async () => {
    const browser = signedIn(api.sessions.editor)
    const first = await begin(browser, { unit: api.units.a, type: 'template' })
    const page = await press(browser, first, 'check', {
      ...{ name: 'Wrong', categoryId: 'manual', 'messages.0.text.zh-TW': '{{ nobody }}您好' },
    })
    expect(page.text).toMatch(/id="messages-0-text-zh-TW-wrong" data-code="unlisted_variable">[^<]*nobody/)
    expect(mainOf(page)).not.toContain('value="submit"')
  })
})

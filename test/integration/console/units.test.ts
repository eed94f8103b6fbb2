import { beforeAll, expect, it } from 'vitest'
import { forConsole } from '../../fixtures/console.ts'
import { mainOf, textOf } from '../../fixtures/pages.ts'
import { signedIn } from '../../fixtures/sign-in-browser.ts'
import { ownOrigin, press } from '../../fixtures/written-form.ts'

const console = forConsole()
let a: string
let b: string
beforeAll(() => {
  ;({ a, b } = console.api.units)
})

const browserOf = (session = console.api.sessions.twoUnits) => signedIn(session)
const switchTo = (browser: ReturnType<typeof browserOf>, unit: string, to = '/messages') =>
  browser.open(`${console.baseUrl}/unit`, {
    method: 'POST',
    headers: ownOrigin(console.baseUrl),
    body: new URLSearchParams({ unit, to }),
  })
/** The unit whose list a page shows, as its form says. */
const unitOf = (page: { text: string }) => /name="unit" value="([^"]+)"/.exec(mainOf(page))?.[1]

it('a person of several units switches in the menu, and every list remembers the unit', async () => {
  const browser = browserOf()
  for (const unit of [a, b, a]) {
    const page = await switchTo(browser, unit)
    expect(page.url).toBe(`${console.baseUrl}/messages`)
    expect(page.text).toContain(`<option value="${unit}" selected>`)
    for (const path of ['/messages', '/templates', '/patterns', '/compose', '/quota'])
      expect(unitOf(await browser.open(`${console.baseUrl}${path}`)), path).toBe(unit)
  }
})

it('a form belongs to the unit in which it was opened, whatever is chosen meanwhile', async () => {
  const browser = browserOf()
  await switchTo(browser, a, '/compose')
  const page = await browser.open(`${console.baseUrl}/compose`)
  expect(mainOf(page)).toMatch(/Write a new message \(\w+\)/)
  await switchTo(browser, b)
  const body = new URLSearchParams({ unit: unitOf(page)! })
  const begun = await browser.open(`${console.baseUrl}/compose`, {
    method: 'POST',
    headers: ownOrigin(page.url),
    body,
  })
  expect(begun.text).toContain(`data-unit="${a}"`)
  const message = { categoryId: 'manual', 'messages.0.text.zh-TW': '停課', 'audience.kind': 'all' }
  const checked = await press(browser, begun, 'check', message)
  expect(textOf(checked)).toMatch(/Submit: \d+ people \(as Admissions\)/)
  await switchTo(browser, b)
  const sent = await press(browser, checked, 'submit')
  const [, id] = /\/messages\/([0-9a-f-]{36})/.exec(sent.url)!
  const { body: sentMessage } = await console.api.call('getMessage', {
    session: console.api.sessions.approver,
    id: id!,
  })
  expect(sentMessage).toMatchObject({ unitId: a, state: 'submitted' })
})

it('an address of a unit shows that one, and leaves what was chosen', async () => {
  const browser = browserOf()
  await switchTo(browser, a)
  expect(unitOf(await browser.open(`${console.baseUrl}/messages?unit=${b}`))).toBe(b)
  expect(unitOf(await browser.open(`${console.baseUrl}/messages`))).toBe(a)
})

it('a unit of others is not chosen, nor a page of another host opened', async () => {
  const browser = browserOf(console.api.sessions.approver)
  expect((await switchTo(browser, b)).response.status).toBe(404)
  expect(browser.cookie('hub_unit')).toBeUndefined()
  expect((await switchTo(browser, a, '//elsewhere.example')).url).toBe(`${console.baseUrl}/`)
})

it('a person of one unit has no switch', async () => {
  const page = await browserOf(console.api.sessions.approver).open(`${console.baseUrl}/messages`)
  expect(page.text).not.toContain('action="/unit"')
})

it('an address that nothing has is a page for a browser, and an error for a program', async () => {
  const browser = browserOf()
  const page = await browser.open(`${console.baseUrl}/nowhere/at/all`)
  expect(page.response.status).toBe(404)
  expect(mainOf(page)).toContain('There is no such page')
  const answer = await browser.open(`${console.baseUrl}/v1/nowhere`)
  expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'not_found' } })
  const program = await fetch(`${console.baseUrl}/nowhere`)
  expect(await program.json()).toMatchObject({ error: { code: 'not_found' } })
})

import { randomUUID } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import { sql } from 'kysely'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, startBrowser } from '../../../dev/browser.ts'
import { adapters } from '../../../src/channels/index.ts'
import { type SignInFixture, startSignIn } from '../../fixtures/sign-in.ts'
import { signedIn } from '../../fixtures/sign-in-browser.ts'
import { beginWriting } from '../../fixtures/written-form.ts'
import { forFile } from '../../harness/for-file.ts'

let api: SignInFixture['api']
let base: string
let browser: Browser
let message: string
let template: string
let composition: string
let pattern: string
let patternForm: string
let templateForm: string
const fixture = forFile(() => startSignIn({ channels: adapters }))

/** A name that turns the text behind it, a long one, and one that would be a tag. */
const [tag, turning, wide] = ['<script>alert(1)</script>', '\u202Eevil', '寬'.repeat(100)]
const names = [tag, turning, wide]

beforeAll(async () => {
  ;({ api, baseUrl: base } = fixture)
  const { db } = api.database
  await sql`update category set channel_plan = '{"mode": "all", "channels": ["chat", "email"]}' where id = 'manual'`.execute(
    db,
  )
  for (const name of names) await submitted(name)
  message = await submitted('A picture and a card')
  await rename()
  template = await templateNamed(tag)
  composition = await writtenFrom(message)
  pattern = await patternNamed(wide)
  patternForm = await begin({ unit: api.units.a, type: 'survey' })
  templateForm = await begin({ template })
  if (browserPath) browser = await startBrowser()
})
afterAll(() => browser?.close())

/** The names of a unit, a category and a member are such as well; one has no English. */
async function rename(): Promise<void> {
  const { db } = api.database
  await sql`update unit set display_name = ${JSON.stringify({ 'zh-TW': wide, en: tag })} where id = ${api.units.a}`.execute(
    db,
  )
  await sql`update category set name = ${JSON.stringify({ 'zh-TW': turning })}`.execute(db)
  await sql`update person set name = ${wide}`.execute(db)
}

async function submitted(title: string): Promise<string> {
  const text = { 'zh-TW': title, en: title }
  const label = { 'zh-TW': '看更多', en: 'Read more' }
  const messages = [
    { kind: 'text', text },
    { kind: 'image', url: 'https://elsewhere.example/map.png', alt: { 'zh-TW': '地圖', en: 'A map' } },
    { kind: 'card', title: text, actions: [{ kind: 'uri', label, url: 'https://example.edu/more' }] },
    { kind: 'quickReply', text, options: [{ id: 'yes', label }] },
  ]
  const body = { categoryId: 'manual', messages, audience: { kind: 'query', roles: ['student'] } }
  const headers = { 'idempotency-key': randomUUID() }
  const { id } = (await api.call('createMessage', { key: api.keys.a, headers, body })).body
  await api.call('submitMessage', { key: api.keys.a, id })
  return id
}

async function templateNamed(name: string): Promise<string> {
  const messages = [{ kind: 'text', text: { 'zh-TW': '{{ who }}您好', en: 'Dear {{ who }}' } }]
  const body = { name, categoryId: 'manual', messages, variables: [{ name: 'who' }] }
  return (await api.call('createTemplate', { key: api.keys.a, body })).body.id
}

/** What somebody writes who goes on with a copy of a message. */
async function writtenFrom(id: string): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() }
  const { body: copy } = await api.call('copyMessage', { session: api.sessions.approver, id, headers })
  return begin({ message: copy.id })
}

/** Begins to write; returns the address of the form. */
async function begin(form: Record<string, string>): Promise<string> {
  return (await beginWriting(signedIn(api.sessions.approver), base, form)).url.slice(base.length)
}

async function patternNamed(name: string): Promise<string> {
  const title = { 'zh-TW': name, en: name }
  const places = { deadline: '2098-12-01T00:00:00Z', capacity: 30, waitingList: true }
  const body = { type: 'rsvp', name, categoryId: 'news', title, ...places }
  return (await api.call('createPattern', { key: api.keys.a, body })).body.id
}

const pages = () => [
  '/',
  '/messages',
  `/messages/${message}`,
  `/messages/${message}?act=cancel`,
  '/messages/none',
  '/compose',
  composition,
  `${composition}?act=discard`,
  patternForm,
  templateForm,
  '/patterns',
  `/patterns/${pattern}`,
  `/patterns/${pattern}/answers`,
  `/messages/${message}/answers`,
  '/approvals',
  '/templates',
  `/templates/${template}`,
  `/approvals/message/${message}`,
  '/handoffs',
  '/results',
  '/quota',
  '/mail-settings',
]

/** What went wrong on a page, as a developer's console shows it; and requests to other hosts. */
function troublesOf(page: Page): string[] {
  const troubles: string[] = []
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().includes('status of 404')) troubles.push(line.text())
  })
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol !== 'data:' && origin !== base) troubles.push(`asks ${request.url()}`)
  })
  return troubles
}

async function signedInPage(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options)
  await context.addCookies([{ name: 'hub_session', value: api.sessions.approver, url: base }])
  return context.newPage()
}

describe.skipIf(!browserPath)('in a browser, every page', () => {
  it.each([
    ['zh-TW', 'light', 1_440],
    ['en', 'dark', 1_440],
    ['en', 'light', 390],
    ['zh-TW', 'dark', 320],
  ] as const)(
    'can be read by everybody, fits and asks nobody else: %s, %s, %i px',
    async (language, colorScheme, width) => {
      await sql`update person set language = ${language}`.execute(api.database.db)
      const page = await signedInPage({ colorScheme, viewport: { width, height: 900 } })
      const troubles = troublesOf(page)
      for (const path of pages()) {
        await page.goto(base + path)
        await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        const scrolls = await page.evaluate('document.documentElement.scrollWidth')
        expect(scrolls, `${path} is as wide as its window`).toBeLessThanOrEqual(width)
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
          .exclude('iframe')
          .analyze()
        const findings = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
        )
        expect(findings, path).toEqual([])
      }
      expect(troubles).toEqual([])
      await page.context().close()
    },
  )

  it('is decided about and read by keyboard alone', async () => {
    await sql`update person set language = 'en'`.execute(api.database.db)
    const page = await signedInPage({ viewport: { width: 1_280, height: 900 } })
    await page.goto(`${base}/messages`)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.locator('tbody a[href^="/messages/"]').first().focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/messages\/[0-9a-f-]{36}$/)
    await page.locator('button[value=cancel]').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/act=cancel/)
    await page.locator('button.strong').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/done=cancel/)
    expect(await page.locator('[role=status]').innerText()).toContain('Cancelled')
    await page.context().close()
  })

  it('shows what moves without a reload', async () => {
    const id = await submitted('On the move')
    await api.call('approveMessage', { session: api.sessions.approver, id, body: {} })
    const page = await signedInPage({ viewport: { width: 1_280, height: 900 } })
    await page.goto(`${base}/messages/${id}`)
    expect(await page.locator('#progress').innerText()).toContain('To be sent')
    await api.call('cancelMessage', { session: api.sessions.approver, id })
    await page.locator('#progress:has-text("Cancelled")').waitFor()
    expect(await page.locator('button[value=cancel]').count()).toBe(0)
    await page.context().close()
  })

  it('says so once what moves cannot be updated, or the session is over', async () => {
    const id = await submitted('Out of reach')
    await api.call('approveMessage', { session: api.sessions.approver, id, body: {} })
    const page = await signedInPage({ viewport: { width: 1_280, height: 900 } })
    await page.goto(`${base}/messages/${id}`)
    const late = page.locator('#late')
    expect(await late.isVisible()).toBe(false)
    await page.context().setOffline(true)
    await late.waitFor()
    await page.context().setOffline(false)
    await late.waitFor({ state: 'hidden' })
    const troubles = troublesOf(page)
    await page.context().clearCookies()
    await late.waitFor()
    expect(troubles).toEqual([])
    await page.context().close()
  })
})

import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { browserPath, startBrowser } from '../../../dev/browser.ts'
import { type SignInFixture, startSignIn } from '../../fixtures/sign-in.ts'
import { signedIn } from '../../fixtures/sign-in-browser.ts'
import { forFile } from '../../harness/for-file.ts'

let api: SignInFixture['api']
let url: string
const fixture = forFile(startSignIn)
beforeAll(async () => {
  ;({ api } = fixture)
  url = `${fixture.baseUrl}/mail-settings`
  await sql`update person set language = 'en'`.execute(api.database.db)
})

const chosen = async (session: string) => {
  const { notices, authorNotices, handoffNotices } = (await api.call('getSession', { session })).body
  return { notices, authorNotices, handoffNotices }
}

it('shows approvers and authors which mails they get', async () => {
  const approver = await signedIn(api.sessions.approver).open(url)
  expect(approver.text).toContain('name="on" value="notices" checked')
  expect(approver.text).toContain('name="on" value="rejected" checked')
  const editor = await signedIn(api.sessions.editor).open(url)
  expect(editor.text).not.toContain('value="notices"')
  expect(editor.text).toContain('name="on" value="handoffNotices" checked')
  const stranger = await signedIn(api.sessions.stranger).open(url)
  expect(stranger.text).not.toContain('value="handoffNotices"')
  expect(editor.text).toContain('When a message is rejected')
})

it('keeps what a form did not show', async () => {
  const { editor } = api.sessions
  const { notices, handoffNotices } = await chosen(editor)
  const page = await signedIn(editor).open(url)
  const body = new URLSearchParams({ shown: 'authorNotices', on: 'parked' })
  const headers = { origin: fixture.baseUrl, 'sec-fetch-site': 'same-origin' }
  const saved = await signedIn(editor).open(page.url, { method: 'POST', body, headers })
  expect(saved.text).toContain('Your settings have been saved.')
  expect(await chosen(editor)).toEqual({ notices, handoffNotices, authorNotices: ['parked'] })
})

it.each([{ origin: 'https://evil.example.com' }, { 'sec-fetch-site': 'cross-site' }] as Record<
  string,
  string
>[])('cannot be changed by another site: %o', async (headers) => {
  const { approver } = api.sessions
  const before = await chosen(approver)
  const body = new URLSearchParams({ shown: 'notices' })
  const answer = await signedIn(approver).ask(url, { method: 'POST', body, headers })
  expect(answer.response.status).toBe(403)
  expect(answer.text).toContain('Open your mail settings and save them again.')
  expect(answer.text).toContain('<a href="/mail-settings">Mail settings</a>')
  expect(answer.text).not.toContain('approv')
  expect(await chosen(approver)).toEqual(before)
})

it('changes the language of the mails, and of the pages with it', async () => {
  const { editor } = api.sessions
  const before = await chosen(editor)
  const headers = { origin: fixture.baseUrl, 'sec-fetch-site': 'same-origin' }
  expect((await signedIn(editor).open(url)).text).toMatch(/name="language" value="zh-TW"/)
  const change = (language: string) =>
    signedIn(editor).open(url, { method: 'POST', body: new URLSearchParams({ language }), headers })
  expect((await change('zh-TW')).text).toContain('設定已儲存。')
  expect((await signedIn(editor).open(`${fixture.baseUrl}/approvals`)).text).toContain('待審核')
  expect((await api.call('getSession', { session: editor })).body.language).toBe('zh-TW')
  expect((await change('en')).text).toContain('Your settings have been saved.')
  expect((await change('fr')).response.status).toBe(400)
  expect(await chosen(editor)).toEqual(before)
})

it('of a session that has ended leads to sign-in, and from there back to the settings', async () => {
  const headers = { origin: fixture.baseUrl, 'sec-fetch-site': 'same-origin', 'accept-language': 'en' }
  const answer = await signedIn(api.sessions.over).ask(url, {
    method: 'POST',
    body: new URLSearchParams(),
    headers,
  })
  expect(answer.response.status).toBe(401)
  expect(answer.text).toContain('Your session has ended, and nothing was changed.')
  expect(answer.text).toContain(encodeURIComponent('/mail-settings'))
})

it('is linked from the list of approvals and the start page', async () => {
  for (const path of ['/approvals', '/']) {
    const page = await signedIn(api.sessions.editor).open(`${fixture.baseUrl}${path}`)
    expect(page.text).toContain('<a href="/mail-settings">Mail settings</a>')
  }
})

describe.skipIf(browserPath === undefined)('in a browser without JavaScript', () => {
  it('the link of a mail leads through sign-in to the page, which switches mails off', async () => {
    const browser = await startBrowser()
    const viewport = { width: 390, height: 844 }
    const page = await (await browser.newContext({ viewport, javaScriptEnabled: false })).newPage()
    await page.goto(url)
    if (await page.locator('summary').count()) await page.click('summary')
    await page.fill('input[name=login]', 'approver@example.org')
    await page.press('input[name=login]', 'Enter')
    await page.waitForURL(url)
    await page.getByLabel('When a person approves a message').uncheck()
    await page.getByLabel('When something waits for my approval').uncheck()
    await page.getByLabel('When someone is waiting for a reply from my unit').uncheck()
    await page.click('button:has-text("Save")')
    expect(await page.locator('[role=status]').innerText()).toBe('Done\n\nYour settings have been saved.')
    expect(await page.getByLabel('When a person approves a message').isChecked()).toBe(false)
    await browser.close()
    expect(await chosen(api.sessions.approver)).toEqual({
      notices: false,
      authorNotices: ['rejected', 'parked', 'failed'],
      handoffNotices: false,
    })
  })
})

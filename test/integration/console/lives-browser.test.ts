import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, startBrowser } from '../../../dev/browser.ts'
import { sendNextAuthorNotice, sendNextNotice } from '../../../src/services/notices/send.ts'
import { contentFor } from '../../fixtures/cleared.ts'
import { forConsole } from '../../fixtures/console.ts'
import { createMessage, newMessage } from '../../fixtures/new-message.ts'
import { newPattern } from '../../fixtures/new-pattern.ts'
import { sendNotices } from '../../fixtures/notice-mails.ts'
import type { SignInFixture } from '../../fixtures/sign-in.ts'

let api: SignInFixture['api']
let base: string
let browser: Browser
const fixture = forConsole()
beforeAll(async () => {
  ;({ api, baseUrl: base } = fixture)
  if (browserPath) browser = await startBrowser()
})
afterAll(() => browser?.close())

async function signedIn(who: 'editor' | 'approver', path = '/'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  await context.addCookies([{ name: 'hub_session', value: api.sessions[who], url: base }])
  const page = await context.newPage()
  await page.goto(`${base}${path}`)
  return page
}

const main = (page: Page) => page.locator('main')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const title = { 'zh-TW': '校友茶會', en: 'Alumni tea' }

/** A registration of the editor's that waits for the approver. */
async function submitted(): Promise<{ id: string; scenarioId: string }> {
  const session = api.sessions.editor
  const { body } = await api.call('createPattern', {
    ...{ session, body: newPattern({ categoryId: 'manual', title, name: '校友茶會' }) },
  })
  await api.call('putScenario', { session, id: body.scenarioId, body: { state: 'active' } })
  return body
}

/** An approver decides on the page of the approval, in two taps. */
async function decide(scenarioId: string, verb: 'approve' | 'reject'): Promise<string> {
  const page = await signedIn('approver', '/approvals')
  expect(await main(page).innerText()).toContain('Registration · ')
  await page.getByRole('link', { name: 'Alumni tea' }).first().click()
  expect(page.url()).toContain(`/approvals/scenario/${scenarioId}`)
  const heading = await page.locator('h1').innerText()
  if (verb === 'reject') {
    await page.getByText('Reject', { exact: true }).click()
    await page.locator('#reason').fill('The date is wrong.')
    await press(page, 'Reject with this reason')
  } else {
    await page.getByRole('button', { name: /^Approve version/ }).click()
    await page.getByRole('button', { name: /^Yes\. Approve/ }).click()
  }
  await page.context().close()
  return heading
}

describe.skipIf(!browserPath)('in a browser, a registration', () => {
  it('that is rejected says so, is changed and submitted again, closed, opened again and copied', async () => {
    const { id, scenarioId } = await submitted()
    expect(await decide(scenarioId, 'reject')).toBe('Registration: Alumni tea')
    const [mail] = await sendNotices(sendNextAuthorNotice, api.services)
    const { subject, text } = contentFor(mail!.content)
    expect(subject).toBe('Rejected: Alumni tea')
    expect(text.join('')).toMatch(/rejected this registration.*The date is wrong\..*press “Change”/s)
    expect(text.join('')).toContain(`/patterns/${id}`)

    const page = await signedIn('editor')
    const row = page.locator('ul.waiting li', { hasText: 'Alumni tea' })
    expect(await row.innerText()).toContain('Rejected')
    await row.getByRole('link').click()
    expect(await main(page).innerText()).toMatch(/Rejected by Approver.*Reason: The date is wrong\./s)
    await press(page, 'Change')
    await page.waitForURL(/\/compose\//)
    expect(await page.locator('[name="title.en"]').inputValue()).toBe('Alumni tea')
    await page.locator('[name="title.en"]').fill('Alumni tea, at three')
    await page.locator('[name=deadline]').focus()
    await expect.poll(() => page.locator('#state').innerText()).toContain('saved by Editor')
    await page.locator('#submit button', { hasText: 'Submit the change' }).click()
    await page.waitForURL(/\/patterns\/[^/]+\?done=create/)
    expect(await main(page).innerText()).toContain('It opens once an approver has approved it.')
    expect(await decide(scenarioId, 'approve')).toBe('Registration: Alumni tea, at three')

    await page.goto(`${base}/patterns/${id}`)
    await press(page, 'Close')
    expect(await main(page).innerText()).toMatch(/Answered\s+0.*Conversations under way\s+0/s)
    await press(page, 'Close it now')
    expect(await main(page).innerText()).toContain('It is closed: nobody can answer.')
    await press(page, 'Open it again')
    await page.locator('[name=deadline]').first().fill('2098-12-18T18:00')
    await press(page, 'Open it again')
    expect(await main(page).innerText()).toContain('It is open again.')
    const open = await api.call('getPattern', { session: api.sessions.editor, id })
    expect(open.body).toMatchObject({ status: 'open', deadline: '2098-12-18T10:00:00.000Z', inForce: 2 })

    await press(page, 'Copy')
    await page.waitForURL(/\/compose\//)
    expect(await page.locator('[name="title.en"]').inputValue()).toBe('Alumni tea, at three (copy)')
    await page.context().close()
  })

  it('that is open is changed as a new version, which is withdrawn and submitted again', async () => {
    const { id, scenarioId } = await submitted()
    await decide(scenarioId, 'approve')
    const page = await signedIn('editor', `/patterns/${id}`)
    await press(page, 'Change')
    await page.waitForURL(/\/compose\//)
    await page.locator('[name="capacity#"]').fill('50')
    await page.locator('[name=deadline]').focus()
    await expect.poll(() => page.locator('#state').innerText()).toContain('saved by Editor')
    await page.locator('#submit button', { hasText: 'Submit the change' }).click()
    await page.waitForURL(/\/patterns\/[^/]+\?done=create/)
    const text = await main(page).innerText()
    expect(text).toMatch(/Open\s+Change to be approved/)
    expect(text).toContain('what is open is as it was')
    expect(text).toContain('30 places')

    const stale = await signedIn('editor', `/patterns/${id}?act=withdraw`)
    await press(page, 'Withdraw to edit')
    await press(page, 'Withdraw it')
    expect(await main(page).innerText()).toContain('Change withdrawn')
    await press(stale, 'Withdraw it')
    expect(await main(stale).innerText()).toContain('It has changed since you opened the page.')
    const old = await signedIn('approver', `/approvals/scenario/${scenarioId}`)
    expect(await main(old).innerText()).toContain('Withdrawn by its author, to be edited: Editor')
    await press(page, 'Submit it')
    expect(await main(page).innerText()).toContain('Change to be approved')
    for (const one of [page, stale, old]) await one.context().close()
  })
})

describe.skipIf(!browserPath)('in a browser, a message', () => {
  it('is withdrawn to be edited; whoever opens the link of its mail, or its second tap, reads so', async () => {
    const session = api.sessions.editor
    const { body } = await createMessage(api, { ...newMessage, categoryId: 'manual' }, { session })
    await api.call('submitMessage', { session, id: body.id })
    const approver = await signedIn('approver', `/approvals/message/${body.id}`)
    await approver.getByRole('button', { name: /^Approve/ }).click()

    const page = await signedIn('editor', `/messages/${body.id}`)
    await press(page, 'Withdraw to edit')
    await press(page, 'Withdraw to edit')
    await page.waitForURL(/\/compose\/[0-9a-f-]{36}$/)
    expect(await page.locator('[name="messages.0.text.zh-TW"]').inputValue()).not.toBe('')

    await approver.getByRole('button', { name: /^Yes/ }).click()
    expect(await main(approver).innerText()).toMatch(/Editor withdrew this at .*, to edit it\./)
    await approver.goto(`${base}/approvals/message/${body.id}?approve=2`)
    expect(await main(approver).innerText()).toContain('Withdrawn by its author, to be edited: Editor')
    const { state } = (await api.call('getMessage', { session, id: body.id })).body
    expect(state).toBe('draft')
    for (const one of [page, approver]) await one.context().close()
  })

  it('is approved in two taps from its mail: the link, and the button of its page', async () => {
    const session = api.sessions.editor
    const { body } = await createMessage(api, { ...newMessage, categoryId: 'manual' }, { session })
    await api.call('submitMessage', { session, id: body.id })
    const mails = await sendNotices(sendNextNotice, api.services)
    const link = mails.map(({ content }) =>
      new RegExp(`/approvals/message/${body.id}[^\\s]*`).exec(contentFor(content).text.join('')),
    )
    const [path] = link.find((one) => one !== null)!
    const page = await signedIn('approver', path)
    expect((await api.call('getMessage', { session, id: body.id })).body.state).toBe('submitted')
    await page.getByRole('button', { name: /^Approve: send to/ }).click()
    expect(await main(page).innerText()).toContain('Approved')
    await page.context().close()
  })
})

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, startBrowser } from '../../../dev/browser.ts'
import { limits } from '../../../src/contract/limits.ts'
import { forConsole } from '../../fixtures/console.ts'
import { mediaUrl, png } from '../../fixtures/pictures.ts'
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

async function editor(): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } })
  await context.addCookies([{ name: 'hub_session', value: api.sessions.editor, url: base }])
  return context
}

async function begin(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${base}/compose`)
  await page.getByRole('button', { name: 'Write a new message' }).click()
  await page.waitForURL(/\/compose\/[0-9a-f-]{36}$/)
  return page
}

const chinese = (page: Page) => page.locator('[name="messages.0.text.zh-TW"]')
const english = (page: Page) => page.locator('[name="messages.0.text.en"]')
const state = (page: Page) => page.locator('#state')
/** Leaves the field that was written in; whoever waits for `saved` sees that it was stored. */
const leave = (page: Page) => page.locator('[name=scheduleAt]').focus()
const isSaved = async (page: Page) => expect.poll(() => state(page).innerText()).toContain('saved by Editor')
const storedText = async (page: Page) =>
  (
    await sql<{ text: string }>`
      select form::text as text from composition where id = ${page.url().slice(-36)}`.execute(api.database.db)
  ).rows[0]!.text

describe.skipIf(!browserPath)('in a browser, what is written', () => {
  it('is saved when its field is left, and counts and previews change without a reload', async () => {
    const page = await begin(await editor())
    await page.selectOption('[name=categoryId]', 'manual')
    await chinese(page).fill('週五停課')
    await english(page).fill('No classes on Friday')
    await page.getByText('Role', { exact: true }).first().click()
    await page.locator('[name="audience.roles[]"][value=student]').first().check()
    await expect.poll(() => page.locator('#submit').innerText()).toBe('Submit: 3 people')
    await expect.poll(() => page.locator('.phone').first().innerText()).toContain('週五停課')
    await page.locator('[name="audience.roles[]"][value=student]').first().uncheck()
    await page.locator('[name="audience.roles[]"][value=teacher]').first().check()
    await expect.poll(() => page.locator('#submit').innerText()).not.toBe('Submit: 3 people')
    await page.locator('[name="audience.roles[]"][value=student]').first().check()
    await expect.poll(() => page.locator('#submit').innerText()).toMatch(/^Submit: [1-9]/)
    await page.locator('#submit button').click()
    await page.waitForURL(/\/messages\/[0-9a-f-]{36}\?done=submit/)
    await page.context().close()
  })

  it('is never saved or replaced in the middle of a word that an input method composes', async () => {
    const page = await begin(await editor())
    await page.clock.install()
    await page.reload()
    const posts: string[] = []
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
    const keyboard = await page.context().newCDPSession(page)
    await chinese(page).focus()
    for (const text of ['ㄓ', 'ㄓㄨ', 'ㄓㄨㄥ', '中', '中ㄨ', '中文'])
      await keyboard.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      })
    await page.clock.runFor(40_000)
    expect(posts).toEqual([])
    await keyboard.send('Input.insertText', { text: '中文' })
    expect(await chinese(page).inputValue()).toBe('中文')
    await page.clock.runFor(16_000)
    await expect.poll(() => posts.length).toBe(1)
    await expect.poll(() => storedText(page)).toContain('中文')
    expect(await page.evaluate('document.activeElement.name')).toBe('messages.0.text.zh-TW')
    await page.context().close()
  })

  it('survives a connection that is gone, and a reload', async () => {
    const context = await editor()
    const page = await begin(context)
    await english(page).fill('Saved')
    await leave(page)
    await isSaved(page)
    await context.setOffline(true)
    await english(page).fill('Typed without a connection')
    await leave(page)
    await expect.poll(() => state(page).innerText()).toContain('there is no connection')
    await context.setOffline(false)
    await page.reload()
    await expect.poll(() => english(page).inputValue()).toBe('Typed without a connection')
    await expect.poll(() => storedText(page)).toContain('Typed without a connection')
    await context.close()
  })

  it('comes back once it can be saved, and nobody types over it before', async () => {
    const context = await editor()
    const page = await begin(context)
    await context.setOffline(true)
    await english(page).fill('Typed without a connection')
    await leave(page)
    await expect.poll(() => state(page).innerText()).toContain('there is no connection')
    await page.clock.install()
    await page.route('**/compose/*', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await context.setOffline(false)
    await page.reload()
    await expect.poll(() => state(page).innerText()).toContain('there is no connection')
    expect(await page.locator('#compose').getAttribute('inert')).toBe('')
    await page.unroute('**/compose/*')
    await page.clock.runFor(16_000)
    await expect.poll(() => english(page).inputValue()).toBe('Typed without a connection')
    await expect.poll(() => storedText(page)).toContain('Typed without a connection')
    await context.close()
  })

  it('is kept for the person who wrote it, in this browser alone, until they sign out', async () => {
    const context = await editor()
    const page = await begin(context)
    expect(await page.locator('[aria-invalid]').count()).toBe(0)
    await context.setOffline(true)
    await chinese(page).fill('只有我看得到')
    expect(await state(page).innerText()).toBe('Not saved yet')
    await leave(page)
    await expect.poll(() => state(page).innerText()).toContain('there is no connection')
    const kept = () => page.evaluate<string>('decodeURIComponent(JSON.stringify(localStorage))')
    expect(await kept()).toContain('只有我看得到')
    // Somebody else signs in without a sign-out before.
    await context.clearCookies()
    await context.addCookies([{ name: 'hub_session', value: await api.newSession('twoUnits'), url: base }])
    await context.setOffline(false)
    await expect.poll(() => state(page).innerText()).toContain('you are signed out')
    await page.reload()
    expect(await page.content()).not.toContain('只有我看得到')
    expect(await storedText(page)).not.toContain('只有我看得到')
    await page.evaluate("fetch('/v1/auth/logout', { method: 'POST' })")
    await page.goto(`${base}/`)
    expect(await kept()).not.toContain('只有我看得到')
    await context.close()
  })

  it('is shown within a second of the last key, and what is wrong only once its field was left', async () => {
    const page = await begin(await editor())
    await page.clock.install()
    await page.reload()
    await chinese(page).pressSequentially('週五停課')
    await page.clock.runFor(1_000)
    await expect.poll(() => page.locator('.phone').first().innerText()).toContain('週五停課')
    await page.locator('[name=expiresAt]').fill('2020-01-01T09:00')
    await page.clock.runFor(1_000)
    const note = page.locator('#expiresAt-wrong')
    await expect.poll(() => storedText(page)).toContain('2020-01-01T09:00')
    expect(await note.isVisible()).toBe(false)
    await chinese(page).focus()
    await english(page).pressSequentially('No classes')
    await page.clock.runFor(1_000)
    await expect.poll(() => note.innerText()).toBe('must be in the future')
    expect(await page.locator('#check').innerText()).toBe('')
    await page.context().close()
  })

  it('leaves the other forms of the page alone', async () => {
    const page = await begin(await editor())
    await page.getByPlaceholder('Search messages').fill('something')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/messages\?.*q=something/)
    await page.context().close()
  })

  it('survives a session that is over, and goes on after a new sign-in', async () => {
    const context = await editor()
    const page = await begin(context)
    await context.clearCookies()
    await english(page).fill('Typed while signed out')
    await leave(page)
    await expect.poll(() => state(page).innerText()).toContain('you are signed out')
    await context.addCookies([{ name: 'hub_session', value: api.sessions.editor, url: base }])
    await english(page).focus()
    await leave(page)
    await isSaved(page)
    expect(await storedText(page)).toContain('Typed while signed out')
    await context.close()
  })

  it.each(['mine', 'theirs'])('in two tabs is overwritten by nobody in silence: %s', async (whose) => {
    const context = await editor()
    const first = await begin(context)
    const second = await context.newPage()
    await second.goto(first.url())
    await english(second).fill('Theirs')
    await leave(second)
    await isSaved(second)
    await english(first).fill('Mine')
    await leave(first)
    await expect.poll(() => state(first).innerText()).toContain('Not saved yet: choose')
    expect(await storedText(first)).toContain('Theirs')
    const notice = first.locator('#stale')
    expect(await notice.innerText()).toContain('Editor saved another version')
    if (whose === 'mine') await notice.getByRole('button', { name: 'Replace it by mine' }).click()
    else await notice.getByRole('link').click()
    await isSaved(first)
    const text = whose === 'mine' ? 'Mine' : 'Theirs'
    await expect.poll(() => english(first).inputValue()).toBe(text)
    expect(await storedText(first)).toContain(text)
    await context.close()
  })

  it('names what is too much at its field, by the code of the server', async () => {
    const page = await begin(await editor())
    await page.selectOption('[name=categoryId]', 'manual')
    await page.locator('button[value="add card"]').click()
    await page.locator('[name="messages.1.title.zh-TW"]').waitFor()
    for (let n = 0; n < 4; n += 1) {
      await page.locator('button[value="more messages.1.actions"]').click()
      await page.locator(`[name="messages.1.actions.${n}.label.zh-TW"]`).fill(`按鈕${n}`)
      await page.locator(`[name="messages.1.actions.${n}.url"]`).fill('https://example.edu')
    }
    await leave(page)
    const note = page.locator('#messages-1-actions-wrong')
    await expect.poll(() => note.innerText()).toBe('at most 3')
    expect(await note.getAttribute('data-code')).toBe('too_many')
    await page.context().close()
  })

  it('can be a template with its own fields', async () => {
    const messages = [{ kind: 'text', text: { 'zh-TW': '{{ who }}您好', en: 'Dear {{ who }}' } }]
    const body = { name: 'A greeting', categoryId: 'manual', messages, variables: [{ name: 'who' }] }
    await api.call('createTemplate', { key: api.keys.a, headers: { 'idempotency-key': randomUUID() }, body })
    const page = await begin(await editor())
    await page.selectOption('[name=categoryId]', 'manual')
    await chinese(page).fill('自己寫的字')
    await page.getByLabel('Use a template').check()
    await page.locator('[name=templateId]').selectOption({ label: 'A greeting' })
    await page.locator('[name="variables.who"]').fill('王小明')
    await page.getByText('Role', { exact: true }).first().click()
    await page.locator('[name="audience.roles[]"][value=student]').first().check()
    await expect.poll(() => page.locator('.phone').first().innerText()).toContain('王小明您好')
    await page.getByLabel('Write the words here').check()
    await expect.poll(() => chinese(page).inputValue()).toBe('自己寫的字')
    await page.context().close()
  })

  it('says of each text how much of its limit is used, and aloud only near the limit', async () => {
    const page = await begin(await editor())
    const count = page.locator('#messages-0-text-zh-TW-count')
    expect(await count.innerText()).toBe('0 / 5,000')
    await chinese(page).fill('停課')
    await expect.poll(() => count.innerText()).toBe('2 / 5,000')
    expect(await count.locator('.spoken').count()).toBe(0)
    await chinese(page).fill('課'.repeat(4_900))
    await expect.poll(() => count.innerText()).toContain('100 characters left')
    await page.locator('button[value="add quickReply"]').click()
    const option = page.locator('#messages-1-options-0-label-zh-TW')
    await option.fill('👩‍🏫'.repeat(21))
    const ofOption = page.locator('#messages-1-options-0-label-zh-TW-count')
    await expect.poll(() => ofOption.innerText()).toMatch(/21 \/ 20\s+1 characters too many/)
    await page.context().close()
  })

  it('names its unit on the button for people of several, whatever another tab switches to', async () => {
    const context = await browser.newContext()
    await context.addCookies([{ name: 'hub_session', value: api.sessions.twoUnits, url: base }])
    const page = await context.newPage()
    await page.goto(`${base}/messages?unit=${api.units.a}`)
    await page.getByRole('button', { name: /Write a new message \(/ }).click()
    const other = await context.newPage()
    await other.goto(`${base}/messages`)
    await other.locator('form[action="/unit"] select').selectOption(api.units.b)
    await other.locator('form[action="/unit"] button').click()
    await page.selectOption('[name=categoryId]', 'manual')
    await chinese(page).fill('週五停課')
    await page.getByLabel('Everybody', { exact: true }).check()
    await expect
      .poll(() => page.locator('#submit').innerText())
      .toMatch(/^Submit: \d+ people \(as Admissions\)$/)
    await page.locator('#submit button').click()
    await page.waitForURL(/\/messages\/[0-9a-f-]{36}/)
    const id = page
      .url()
      .slice(page.url().indexOf('/messages/') + 10)
      .slice(0, 36)
    const { body } = await api.call('getMessage', { session: api.sessions.approver, id })
    expect(body.unitId).toBe(api.units.a)
    await context.close()
  })

  it('of a template gets a field where the caret is, by what people call it', async () => {
    const page = await (await editor()).newPage()
    await page.goto(`${base}/templates`)
    await page.getByRole('button', { name: 'New template' }).click()
    await page.locator('button[value="add textVariable"]').click()
    await page.locator('[name="variables.0.label.zh-TW"]').fill('日期')
    await chinese(page).fill('請於報到')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    const menu = page.locator('#inserts')
    await expect.poll(() => menu.getByText('日期').count()).toBe(1)
    await page.getByRole('button', { name: 'Insert field: Text (Chinese)' }).press('Enter')
    await menu.getByText('日期').press('Enter')
    expect(await chinese(page).inputValue()).toBe('請於{{ field_1 }}報到')
    await page.keyboard.type('前')
    await expect.poll(() => storedText(page)).toContain('請於{{ field_1 }}前報到')
    await expect.poll(() => page.locator('.phone').first().innerText()).toContain('請於⟨日期⟩前報到')
    await page.getByRole('button', { name: 'Insert field: Text (English)' }).click()
    await menu.getByText('日期').click()
    expect(await english(page).inputValue()).toBe('{{ field_1 }}')
    await page.context().close()
  })
})

describe.skipIf(!browserPath)('in a browser, a picture', () => {
  type File = { name: string; mimeType: string; buffer: Buffer }
  const file = (name: string, mimeType: string, buffer: Buffer): File => ({ name, mimeType, buffer })
  const address = (page: Page) => page.locator('[name="messages.1.url"]')
  const note = (page: Page) => page.locator('#messages-1-url-said')
  const choose = (page: Page, one: File) => page.getByLabel('Choose a picture').setInputFiles(one)
  const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')

  async function beginPicture(context: BrowserContext): Promise<Page> {
    const page = await begin(context)
    await page.locator('button[value="add image"]').click()
    await page.getByLabel('Choose a picture').waitFor({ state: 'attached' })
    return page
  }

  /** The size of the picture behind an address. */
  const keptSize = async (url: string) => {
    const { rows } = await sql<{ width: number; height: number }>`
      select width, height from media where token = ${/media\/([\w-]{22})\./.exec(url)![1]}`.execute(
      api.database.db,
    )
    return rows[0]
  }

  it.each([
    {
      of: 'opaque',
      drawing: { width: 3_000, height: 2_000 },
      kept: { width: 2_048, height: 1_365 },
      as: 'jpg',
    },
    {
      of: 'clear',
      drawing: { width: 3_000, height: 2_000, alpha: 0.5 },
      kept: { width: 2_048, height: 1_365 },
      as: 'png',
    },
    { of: 'small', drawing: { width: 60, height: 40 }, kept: { width: 60, height: 40 }, as: 'jpg' },
  ])('that is $of is uploaded at most 2,048 pixels wide, and shown', async ({ drawing, kept, as }) => {
    const page = await beginPicture(await editor())
    const sent = page.waitForRequest(/v1.media/)
    await choose(page, file('campus.png', 'image/png', await png(drawing)))
    const small = drawing.width === kept.width
    expect(await (await sent).headerValue('content-type')).toBe(
      small || as === 'png' ? 'image/png' : 'image/jpeg',
    )
    await expect.poll(() => note(page).innerText()).toBe('The picture is uploaded.')
    const url = await address(page).inputValue()
    expect(url).toMatch(new RegExp(`^${mediaUrl}/media/[\\w-]{22}\\.${as}$`))
    expect(await keptSize(url)).toEqual(kept)
    expect(await page.getByLabel('Choose a picture').inputValue()).toBe('')
    const thumbnail = () => page.evaluate<number>("document.querySelector('.upload img').naturalWidth")
    await expect.poll(thumbnail).toBeGreaterThan(0)
    await expect.poll(() => storedText(page)).toContain(url)
    await page.reload()
    await expect.poll(thumbnail).toBeGreaterThan(0)
    await page.context().close()
  })

  it('is chosen with the keyboard', async () => {
    const page = await beginPicture(await editor())
    await page.getByLabel('Choose a picture').focus()
    const chooser = page.waitForEvent('filechooser')
    await page.keyboard.press('Enter')
    await (await chooser).setFiles(file('a.png', 'image/png', await png()))
    await expect.poll(() => address(page).inputValue()).toContain(mediaUrl)
    await page.context().close()
  })

  it('that is refused is said at its field, in its own words', async () => {
    const page = await beginPicture(await editor())
    const text = Buffer.from('no picture')
    for (const [one, words] of [
      [file('IMG_1.HEIC', 'image/heic', text), 'This is the HEIC format of iPhones'],
      [file('a.svg', 'image/svg+xml', Buffer.from('<svg/>')), 'SVG files cannot be used'],
      [file('a.jpg', 'image/jpeg', text), 'This file cannot be read'],
      [file('a.gif', 'image/gif', gif), 'This kind of file cannot be used'],
      [file('b.gif', 'image/gif', Buffer.alloc(limits.mediaBytes + 1)), 'The file is larger than 10 MB'],
    ] as const) {
      await choose(page, one)
      await expect.poll(() => note(page).locator('.wrong').innerText()).toContain(words)
      expect(await page.getByLabel('Choose a picture').inputValue()).toBe('')
      expect(await page.getByRole('button', { name: 'Try again' }).isVisible()).toBe(false)
    }
    await address(page).fill('https://example.edu/a.png')
    expect(await note(page).innerText()).toBe('')
    await page.context().close()
  })

  it('can be tried again once there is a connection', async () => {
    const context = await editor()
    const page = await beginPicture(context)
    await context.setOffline(true)
    await choose(page, file('a.png', 'image/png', await png()))
    await expect.poll(() => note(page).innerText()).toContain('there is no connection')
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => address(page).inputValue()).toContain(mediaUrl)
    expect(await page.getByRole('button', { name: 'Try again' }).isVisible()).toBe(false)
    await context.close()
  })
})

describe.skipIf(!browserPath)('in a browser, a text', () => {
  it('from Word keeps its lines, and an address gets its scheme', async () => {
    const page = await begin(await editor())
    await chinese(page).focus()
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', '第一行\\v第二行')
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.activeElement.dispatchEvent(paste)
    })()`)
    expect(await chinese(page).inputValue()).toBe('第一行\n第二行')
    await page.locator('button[value="add buttons"]').click()
    await page.locator('button[value="more messages.1.actions"]').click()
    const link = page.locator('[name="messages.1.actions.0.url"]')
    await link.fill('www.example.edu/a?b=1')
    await leave(page)
    expect(await link.inputValue()).toBe('https://www.example.edu/a?b=1')
    await link.fill('mailto:office@example.edu')
    await page.locator('.decide button[value=check]').click()
    await expect.poll(() => page.locator('#check').innerText()).toMatch(/Button 1, Where it leads: /)
    await page.context().close()
  })
})

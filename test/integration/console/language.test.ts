import { expect, it } from 'vitest'
import { forConsole } from '../../fixtures/console.ts'
import { signedIn } from '../../fixtures/sign-in-browser.ts'
import { ownOrigin } from '../../fixtures/written-form.ts'

const console = forConsole()

it('a press in the menu shows the same page in the other language, and leaves the language of mails', async () => {
  const { editor } = console.api.sessions
  const browser = signedIn(editor)
  const page = await browser.open(`${console.baseUrl}/messages?state=sent`)
  expect(page.text).toContain('name="to" value="/messages?state=sent"')
  const press = (language: string, to: string) =>
    browser.open(`${console.baseUrl}/language`, {
      method: 'POST',
      headers: ownOrigin(console.baseUrl),
      body: new URLSearchParams({ language, to }),
    })
  const chinese = await press('zh-TW', '/messages?state=sent')
  expect(chinese.url).toBe(`${console.baseUrl}/messages?state=sent`)
  expect(chinese.text).toContain('<h1>訊息</h1>')
  expect(chinese.text).toContain('主選單')
  expect((await browser.open(`${console.baseUrl}/`)).text).toContain('lang="zh-Hant-TW"')
  expect((await console.api.call('getSession', { session: editor })).body.language).toBe('en')
  expect((await browser.open(`${console.baseUrl}/mail-settings`)).text).toMatch(/value="en" checked/)
  expect((await press('en', '/')).text).toContain('<html lang="en">')
  expect((await press('fr', '/')).response.status).toBe(400)
})

import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, startBrowser } from '../../../dev/browser.ts'
import { serveApi } from '../../fixtures/api.ts'
import { dinner, insertMailPattern, invite } from '../../fixtures/invited-by-mail.ts'
import { links, openRunsWithMail } from '../../fixtures/open-runs.ts'
import { selectRows } from '../../fixtures/rows.ts'
import { forFile } from '../../harness/for-file.ts'

const runs = forFile(openRunsWithMail)
const api = forFile(async () => {
  const { app } = await serveApi(runs.db, { services: { links, wake: runs.wake } })
  return { base: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() }
})
let browser: Browser
beforeAll(async () => {
  await runs.startWorker()
  if (browserPath) browser = await startBrowser()
})
afterAll(() => browser?.close())

describe.runIf(browserPath)('an rsvp that somebody answers from a mail on a phone', () => {
  it.each([
    ['zh-TW', ['我會出席', '素食', '您的回答', '花生過敏', '送出', '期待見面', '已透過電子郵件傳給您']],
    ['en', ['Yes, I will', 'Vegetarian', 'Your answer', 'No nuts', 'Send', 'look forward', 'by e-mail']],
  ] as const)('goes from its first question to its end in %s', async (locale, words) => {
    const [yes, meal, label, note, send, end, elsewhere] = words
    const { id, scenario } = await insertMailPattern(runs.db, dinner)
    const guest = await invite(runs.db, scenario, { locale })
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
    const page = await context.newPage()
    await page.goto(`${api.base}${guest.path}`)
    for (const choice of [yes, meal]) {
      await assertReadable(page)
      await page.getByRole('button', { name: choice }).click()
    }
    await page.getByLabel(label).fill(note)
    await assertReadable(page)
    await page.getByRole('button', { name: send }).click()
    await page.getByText(end).waitFor()
    await page.getByText(elsewhere).waitFor()
    await assertReadable(page)
    await page.goBack()
    await page.getByRole('button', { name: send }).waitFor({ state: 'hidden' })
    const places = await selectRows(runs.db, 'registration', { pattern_id: id }, ['state'])
    expect(places).toEqual([{ state: 'registered' }])
    await context.close()
  })
})

/** Nothing is wider than the phone, and nothing hinders who uses a screen reader. */
async function assertReadable(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id }) => id)).toEqual([])
}

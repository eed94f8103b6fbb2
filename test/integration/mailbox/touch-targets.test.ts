import { describe, expect, it, onTestFinished } from 'vitest'
import { browserPath, startBrowser } from '../../../dev/browser.ts'
import { compileEmail } from '../../../src/channels/email/compile.ts'
import type { CanonicalMessage } from '../../../src/contract/messages/content.ts'

/** What a finger needs, in CSS pixels (WCAG 2.2, 2.5.5). */
const targetSize = 44

const label = (en: string) => ({ 'zh-TW': '選項', en })
const choices: CanonicalMessage[] = [
  {
    kind: 'quickReply',
    text: label('Will you come?'),
    options: [
      { id: 'yes', label: label('Yes') },
      { id: 'no', label: label('No') },
    ],
  },
  {
    kind: 'buttons',
    text: label('More'),
    actions: [
      { kind: 'uri', label: label('Map'), url: 'https://example.edu/map' },
      { kind: 'uri', label: label('Programme'), url: 'https://example.edu/programme' },
    ],
  },
]

describe.skipIf(browserPath === undefined)('on a phone', () => {
  it('every option and button of a mail is large enough for a finger', async () => {
    const unit = { id: 'unit', name: label('Admissions'), named: false, replyTo: null, sender: null }
    const { locales } = compileEmail({
      messages: choices,
      subject: label('Party'),
      unit: { ...unit, timeZone: 'Asia/Taipei' },
      categoryId: 'events',
      category: label('Events'),
      wave: 'only',
      unsubscribe: true,
    })
    const pieces = locales.en.parts[0]![0]!.html
    const browser = await startBrowser()
    onTestFinished(() => browser.close())
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    await page.setContent(pieces.map((piece) => (typeof piece === 'string' ? piece : '#')).join(''))
    const links = page.locator('.panel a')
    const names = await links.allInnerTexts()
    expect(names).toEqual(['Yes', 'No', 'Map', 'Programme'])
    for (const [index, name] of names.entries()) {
      const { width, height } = (await links.nth(index).boundingBox())!
      expect(Math.min(width, height), name).toBeGreaterThanOrEqual(targetSize)
    }
  })
})

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { browserPath, startBrowser } from '../../../dev/browser.ts'
import { buildApp } from '../../../src/api/app.ts'
import { CanonicalMessage } from '../../../src/contract/messages/content.ts'
import { createSession } from '../../../src/services/identity/session.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { type FarEndDelivery, makeDeliveryFixture, withFarEnds } from '../../fixtures/delivery.ts'
import { runUntilWait } from '../../fixtures/delivery-steps.ts'
import { createDraft, type MessageFixture } from '../../fixtures/message-fixture.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

let fixture: MessageFixture
let app: Awaited<ReturnType<typeof buildApp>>
let base: string
let browser: Browser
const database = forFile(freshDatabase)
beforeAll(async () => {
  fixture = await makeDeliveryFixture(database.db)
  app = await buildApp(fixture.services, {
    probes: { temporal: async () => 'ok', adapters: {} },
    trustProxy: false,
    rates: { perMinute: 0, perSecond: 0 },
  })
  base = await app.listen({ port: 0, host: '127.0.0.1' })
  if (browserPath) browser = await startBrowser()
})
afterAll(async () => {
  await browser?.close()
  await app.close()
})

const both = (text: string) => ({ 'zh-TW': `${text}（中）`, en: `${text} (en)` })
const uri = (name: string) => ({ kind: 'uri', label: both(name), url: `https://example.edu/${name}` })
/** Every kind of block, each text another one. */
const card = (name: string, actions: object[]) => ({
  ...{ kind: 'card', header: both(`${name} header`), title: both(name), body: both(`${name} body`) },
  ...{ imageUrl: 'https://example.edu/card.png', actions },
})
const blocks = z.array(CanonicalMessage).parse([
  { kind: 'text', text: both('Greeting') },
  { kind: 'image', url: 'https://example.edu/map.png', alt: both('Map') },
  { kind: 'sticker', packageId: '446', stickerId: '1988', fallbackText: both('Wave') },
  { kind: 'buttons', text: both('Choose'), actions: [uri('first'), uri('second')] },
  card('Card', [uri('third')]),
  { kind: 'carousel', cards: ['One', 'Two'].map((name) => card(name, [uri(name)])) },
  {
    kind: 'quickReply',
    text: both('Will you come'),
    options: ['yes', 'no'].map((id) => ({ id, label: both(id) })),
  },
])

it.skipIf(!browserPath)(
  'the phones of a page show all that the provider was sent, in both languages',
  async () => {
    const far = await withFarEnds(fixture)
    const tag = await addRecipients(database.db, 2)
    const id = await createDraft(fixture, {
      audience: { kind: 'query', tags: [tag] },
      messages: blocks,
    })
    await submitMessage(fixture.services, fixture.producer, id)
    await approveMessage(fixture.services, fixture.approver, id)
    await runUntilWait(far, id)

    const phones = await phonesOf(id)
    const sent = await sentTo(far)
    expect(sent).toHaveLength(2)
    for (const [locale, strings] of sent) {
      expect(strings).toHaveLength(19)
      const phone = phones[locale]!
      for (const text of strings) expect(phone, locale).toContain(text)
    }
  },
)

/** What the reader sees on each phone, by the language of its content. */
async function phonesOf(id: string): Promise<Record<string, string>> {
  const { personId } = fixture.approver
  const { token } = await createSession(database.db, 'operator:cli', { personId, hours: 1 })
  const context = await browser.newContext()
  await context.addCookies([{ name: 'hub_session', value: token, url: base }])
  const page = await context.newPage()
  await page.goto(`${base}/messages/${id}`)
  const phoneIn = async (lang: string) =>
    (await page.locator(`div[lang="${lang}"] .phone`).innerText()).replaceAll(/\s+/g, ' ')
  const phones = { 'zh-TW': await phoneIn('zh-Hant-TW'), en: await phoneIn('en') }
  await context.close()
  return phones
}

/** The strings of each language in the provider's journal, besides what stands behind a press and in a notification. */
async function sentTo({ chat }: FarEndDelivery): Promise<[string, string[]][]> {
  const calls = await chat.journal()
  return ['zh-TW', 'en'].map((locale) => {
    const mark = locale === 'en' ? ' (en)' : '（中）'
    const strings = calls.flatMap(({ messages }) => stringsIn(messages)).filter((text) => text.endsWith(mark))
    return [locale, strings]
  })
}

function stringsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inside]) => {
    if (typeof inside !== 'string') return stringsIn(inside)
    return ['text', 'label', 'title', 'address'].includes(key) ? [inside] : []
  })
}

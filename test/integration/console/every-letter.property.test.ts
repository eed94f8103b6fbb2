import fc from 'fast-check'
import { sql } from 'kysely'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { browserPath, startBrowser } from '../../../dev/browser.ts'
import { forConsole } from '../../fixtures/console.ts'
import { inFullCounts } from '../../harness/timeouts.ts'

/** Sequences of acts in the usual suite, and in full counts. */
const runs = inFullCounts ? 300 : 8
const seed = 20261201

const fixture = forConsole()
let browser: Browser
beforeAll(async () => {
  if (browserPath) browser = await startBrowser()
})
afterAll(() => browser?.close())

/** What somebody does, or what happens to them. Numbers choose among what is on the page, wherever that is possible. */
type Act =
  | { do: 'type'; at: number; letters: string }
  | { do: 'add'; kind: string }
  | { do: 'more' | 'remove' | 'up' | 'down'; at: number }
  | { do: 'choose'; at: number }
  | { do: 'upload' | 'reload' | 'write in another tab' }
  /** Answers take this long (ms); `lost`: the next one never comes, although the server has heard. */
  | { do: 'answers'; after: number; lost: boolean }
  | { do: 'offline' | 'signed out'; is: boolean }
  | { do: 'wait'; ms: number }

const at = fc.nat(20)
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('type' as const),
      at,
      letters: fc.stringMatching(/^[a-z字]{1,6}$/),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      kind: fc.constantFrom('text', 'quickReply', 'card'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('more' as const, 'remove', 'up', 'down'), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('choose' as const), at }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('upload' as const, 'reload', 'write in another tab') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('answers' as const),
      after: fc.constantFrom(0, 100, 700, 3_000),
      lost: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('offline' as const, 'signed out'), is: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(50, 700, 1_500) }),
  },
)

it.skipIf(!browserPath)(
  'no letter is lost, whatever somebody does and however slow the answers are',
  async () => {
    const property = fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), async (acts) => {
      const writer = await beginWriting()
      for (const one of acts) await writer.perform(one)
      await writer.perform({ do: 'type', at: 0, letters: 'end' })
      expect(await writer.stored()).toEqual(writer.expected())
      await writer.close()
    })
    await fc.assert(property, { numRuns: runs, seed, endOnFailure: !inFullCounts })
  },
)

/** Somebody who writes, and what they have typed so far: by the names of fields with keys. */
async function beginWriting() {
  const { api, baseUrl: base } = fixture
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } })
  const session = { name: 'hub_session', value: api.sessions.editor, url: base }
  await context.addCookies([session])
  const network = { after: 0, lost: false }
  await context.route('**/compose/*', (route) => delayed(route, network))
  await context.addInitScript(hands)
  const page = await context.newPage()
  await page.goto(`${base}/compose`)
  await page.getByRole('button', { name: 'Write a new message' }).click()
  await page.waitForURL(/\/compose\/[0-9a-f-]{36}$/)
  const id = page.url().slice(-36)
  const typed = new Map<string, string>()
  let parts = 1
  let reachable = { online: true, signedIn: true }

  const perform = async (one: Act): Promise<void> => {
    switch (one.do) {
      case 'type': {
        const field = await ask<string | null>(page, 'focusOn', one.at)
        if (field === null) return
        await page.keyboard.type(one.letters, { delay: 15 })
        typed.set(field, (typed.get(field) ?? '') + one.letters)
        return
      }
      case 'add':
        if (await ask<boolean>(page, 'add', one.kind)) parts += 1
        return
      case 'more':
      case 'remove':
      case 'up':
      case 'down': {
        const part = await ask<string | null>(page, 'press', one.do, one.at)
        if (one.do !== 'remove' || part === null) return
        parts -= 1
        for (const name of typed.keys()) if (name.startsWith(`${part}.`)) typed.delete(name)
        return
      }
      case 'choose':
        return ask(page, 'choose', one.at)
      case 'upload':
        return upload(page)
      case 'reload':
        if (reachable.online && reachable.signedIn) await page.reload()
        return
      case 'write in another tab':
        if (reachable.online && reachable.signedIn) await writeElsewhere(context, page.url())
        return
      case 'answers':
        Object.assign(network, { after: one.after, lost: one.lost })
        return
      case 'offline':
        reachable = { ...reachable, online: !one.is }
        return context.setOffline(one.is)
      case 'signed out':
        reachable = { ...reachable, signedIn: !one.is }
        return one.is ? context.clearCookies() : context.addCookies([session])
      case 'wait':
        // Time is what this is about: what is answered meanwhile differs.
        await page.waitForTimeout(one.ms)
    }
  }

  return {
    perform,
    /** What somebody has typed, and how many parts there are. */
    expected: () => ({ parts, texts: Object.fromEntries([...typed].sort()) }),
    /** The same as the server has it, once all of it is saved. */
    async stored() {
      await context.setOffline(false)
      await context.addCookies([session])
      Object.assign(network, { after: 0, lost: false })
      await expect.poll(() => ask(page, 'isSaved'), { timeout: 60_000 }).toBe(true)
      const { rows } = await sql<{ form: [string, string][] }>`
        select form from composition where id = ${id}`.execute(api.database.db)
      const { form } = rows[0]!
      const texts = form.filter(([name, value]) => isTyped(name) && value !== '')
      const keyed = texts.map(([name, value]): [string, string] => [keyedName(name, form), value])
      const kinds = form.filter(([name]) => /^messages\.\d+\.kind$/.test(name))
      return { parts: kinds.length, texts: Object.fromEntries(keyed.sort()) }
    },
    close: () => context.close(),
  }
}

/** A post takes its time, or is heard and never answered. */
async function delayed(route: Route, network: { after: number; lost: boolean }): Promise<void> {
  if (route.request().method() !== 'POST') return route.continue()
  const { after, lost } = network
  network.lost = false
  // The test decides how slow the network is.
  await new Promise((done) => setTimeout(done, after))
  try {
    if (lost) await route.fetch()
    await (lost ? route.abort() : route.continue())
  } catch {
    await route.abort().catch(() => undefined)
  }
}

const isTyped = (name: string) => /\.(zh-TW|en)$/.test(name)

/** The name of a field, with the keys of its entries in place of their numbers. */
function keyedName(name: string, form: readonly (readonly [string, string])[]): string {
  return name.replace(/\.\d+(?=\.|$)/g, (step, offset: number) => {
    const key = form.find(([one]) => one === `${name.slice(0, offset)}${step}.key`)?.[1]
    return key === undefined ? step : `.~${key}`
  })
}

/** What the page is asked, at one moment: between two questions an answer may have changed it. */
function ask<Answer = void>(page: Page, what: string, ...values: (string | number)[]): Promise<Answer> {
  return page.evaluate<Answer>(`hands.${what}(${values.map((value) => JSON.stringify(value)).join(', ')})`)
}

/** Runs in the page, where `hands` does what hands do. */
const hands = `
const keyedName = ${keyedName.toString()}
globalThis.hands = {
  all: (selector) => [...document.querySelectorAll('#fields ' + selector)].filter((one) => one.checkVisibility() && !one.closest('[inert]')),
  keyed: (name) => keyedName(name, [...new FormData(document.getElementById('compose'))]),
  focusOn(at) {
    const fields = this.all('textarea').concat(this.all('input[type=text]')).filter(({ name }) => /\\.(zh-TW|en)$/.test(name))
    const field = fields[at % fields.length]
    if (!field) return null
    field.focus()
    field.setSelectionRange(field.value.length, field.value.length)
    return this.keyed(field.name)
  },
  click(button) {
    if (!button) return false
    button.focus()
    button.click()
    return true
  },
  add(kind) {
    return this.click(this.all('button[value="add ' + kind + '"]')[0])
  },
  press(what, at) {
    const buttons = this.all('button[value^="' + what + ' messages."]')
    const button = buttons[at % buttons.length]
    if (!button) return null
    const part = this.keyed(button.value.split(' ')[1])
    this.click(button)
    return part
  },
  choose(at) {
    const [select] = this.all('[name=categoryId]')
    const radios = this.all('[name="audience.kind"]')
    if (!select) return
    if (at % 2) select.selectedIndex = at % select.options.length
    else radios[(at / 2) % radios.length].checked = true
    const chosen = at % 2 ? select : radios[0]
    chosen.dispatchEvent(new Event('change', { bubbles: true }))
  },
  /** Whether all is saved; where somebody has to choose, their own words stay. */
  isSaved() {
    document.querySelector('#stale button')?.click()
    const waits = Object.keys(localStorage).some((name) => name.startsWith('compose '))
    return !waits && document.getElementById('state').textContent.startsWith('Saved')
  },
}`

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Adds a picture to a part that can have one. */
async function upload(page: Page): Promise<void> {
  const file = page.locator('#fields input[type=file]').first()
  if ((await file.count()) === 0) return
  await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: picture })
}

/** The same person writes the same message in another tab, and leaves it. */
async function writeElsewhere(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(url)
  await ask(page, 'focusOn', 0)
  await page.keyboard.type('elsewhere')
  await page.waitForTimeout(700)
  await page.close()
}

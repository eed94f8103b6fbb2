import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { startBrowser } from '../../dev/browser.ts'
import { directory } from '../../dev/demo/directory.ts'
import { graphPicture } from '../../src/api/console/facts/graph-picture.ts'
import { palette } from '../../src/channels/palette.ts'
import type { Graph } from '../../src/contract/scenarios/graph.ts'
import { layOut } from '../../src/services/layouts/layout-worker.ts'

// `node test/pictures/registration.ts` plays the example of docs/api/patterns.md on a demo that runs in this folder, and
// takes its pictures: the graph that the pattern generates, and the phones of two people of whom one waits.

const images = resolve(import.meta.dirname, '../../docs/api/images')
const demo = JSON.parse(readFileSync(join(process.env.CARILLON_DATA_DIR ?? '.data', 'demo.json'), 'utf8'))
const [first, second] = [demo.subjects[0], demo.subjects[3]] as [string, string]

const scenarioId = await openRegistration()
writeFileSync(
  join(images, 'registration.svg'),
  await picture(await call('GET', `/v1/scenarios/${scenarioId}`)),
)
await playOnPhones(scenarioId)

/** The call of a producer, or with `session` of a person. */
// biome-ignore lint/suspicious/noExplicitAny: answers as a caller reads them
async function call(method: string, path: string, body?: object, session?: string): Promise<any> {
  const who = session
    ? { cookie: `hub_session=${session}` }
    : { authorization: `Bearer ${demo.targetingKey}` }
  const key = { 'idempotency-key': `pictures-${Date.now()}` }
  const answer = await fetch(`${demo.api}${path}`, {
    method,
    headers: { ...who, ...key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** Creates the pattern and activates its scenario. Returns the scenario's id. */
async function openRegistration(): Promise<string> {
  const pattern = await call('POST', '/v1/patterns', {
    ...{ type: 'registration', name: 'Library tour', categoryId: 'campus-events' },
    ...{ capacity: 1, waitingList: true, title: { 'zh-TW': '圖書館導覽', en: 'Library tour' } },
    deadline: new Date(Date.now() + 7 * 86_400_000).toISOString(),
  })
  await call('PUT', `/v1/scenarios/${pattern.scenarioId}`, { state: 'active' })
  return pattern.scenarioId
}

/** Sends both people a message whose button starts the scenario. */
async function invite(id: string): Promise<void> {
  const button = { kind: 'jumpScenario', label: { 'zh-TW': '看看', en: 'More' }, scenarioId: id }
  const text = { 'zh-TW': '一起來圖書館導覽！', en: 'Join the library tour!' }
  const message = await call('POST', '/v1/messages', {
    ...{ categoryId: 'campus-events', audience: { kind: 'individual', uids: [first, second] } },
    messages: [{ kind: 'buttons', text, actions: [button] }],
  })
  await call('POST', `/v1/messages/${message.id}/submit`)
  await call('POST', `/v1/messages/${message.id}/approve`, undefined, demo.sessions.approver)
}

/** Both are invited; the first person takes the only place, the second one waits. */
async function playOnPhones(id: string): Promise<void> {
  const browser = await startBrowser()
  const page = await browser.newPage({ viewport: { width: 1360, height: 880 } })
  const [left, right] = [first, second].map((uid) => directory().find((entry) => entry.uid === uid)!.chat!)
  await page.goto(`${demo.simulator}/?${new URLSearchParams({ left: left!, right: right!, lang: 'en' })}`)
  // What was said before, in the seed or in an earlier play, is not in the picture.
  await page.locator('.chat').evaluateAll((chats) => {
    for (const chat of chats) chat.replaceChildren()
  })
  await invite(id)
  await tap(page, 'left', '看看')
  await tap(page, 'left', '我要報名')
  await told(page, 'left', '您已完成')
  await tap(page, 'right', 'More')
  await tap(page, 'right', 'Register')
  await told(page, 'right', 'you are on the waiting list')
  await page.mouse.move(0, 0)
  await page.locator('main').screenshot({ path: join(images, 'registration.png') })
  await browser.close()
}

/** Taps the newest button with this label, as soon as there is one. */
async function tap(page: Page, side: string, label: string): Promise<void> {
  const button = page
    .locator(`.phone[data-side=${side}] .chat`)
    .getByRole('button', { name: label, exact: true })
  await button.last().click({ timeout: 30_000 })
}

async function told(page: Page, side: string, words: string): Promise<void> {
  const bubble = page.locator(`.phone[data-side=${side}] .chat`).getByText(words).last()
  await bubble.waitFor({ timeout: 30_000 })
}

/** The picture of a graph as a file: the colours of the page are written into it. */
async function picture(graph: Graph): Promise<string> {
  const { panel, sheet, ink, quiet, accent, edge } = palette.light
  const reading = {
    locale: 'en' as const,
    timeZone: 'Asia/Taipei',
    names: new Map<string, string>(),
    keysReply: false,
  }
  const [svg] = /<svg .*<\/svg>/s.exec((await graphPicture(reading, graph, layOut)).pieces.join(''))!
  const style = `svg{background:${panel};font:13px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
text{fill:${ink}}.head{font-weight:600}.case,.tip{fill:${quiet}}.label{fill:${panel}}
.node{fill:${sheet};stroke:${edge}}.question{stroke:${accent};stroke-width:2}.way{fill:none;stroke:${quiet};stroke-width:1.5}`
  return `${svg.replace('</desc>', `</desc>\n<style>${style}</style>`)}\n`
}

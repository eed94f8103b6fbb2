import type { Browser } from 'playwright-core'
import { browserPath, startBrowser } from '../../dev/browser.ts'
import { apiService } from '../../dev/services.ts'
import { p95Of, type Read, readAll, type Took } from '../http/gets.ts'
import { type BenchInstallation, openInstallation } from '../installation.ts'
import { fillLargeUnit, type Originals } from '../large-unit.ts'
import { chatCategory } from '../names.ts'
import { insertPeople } from '../people.ts'
import { percentile } from '../percentile.ts'
import { progress } from '../progress.ts'
import type { Baseline, Measured } from '../result.ts'
import { alternate } from '../rounds.ts'

/** People for each message of the unit. */
const peopleEach = 5
/** Requests for each page in a round, one after the other. */
const each = 30
/**
 * What a page may take on the server (ms), of every hundred at least 95, and to its first paint on a phone; and that on
 * which a message is written, as a multiple of the floor's.
 */
const most = { server: 100, paint: 1_000, writing: 3 }
/** Times that a page is opened in the browser; the median counts. */
const openings = 3
/** A phone on the way: its network (bytes a second, ms) and how much slower it is than this machine. */
const phone = { down: 1_600_000 / 8, up: 750_000 / 8, latency: 150, slower: 4, width: 390, height: 844 }

type BenchPage = { what: string; path: string }

/** It reads nothing but the session and the person's settings. */
const floorPage: BenchPage = { what: 'mail settings', path: '/mail-settings' }

const pagesOf = ({ draft, submitted, sent }: Originals): BenchPage[] => [
  { what: 'home', path: '/' },
  { what: 'messages', path: '/messages' },
  { what: 'messages, those that wait', path: '/messages?state=waiting' },
  { what: 'messages, a word of the title', path: '/messages?q=talk' },
  { what: 'messages, a word that none has', path: '/messages?q=nowhere' },
  { what: 'a draft', path: `/messages/${draft}` },
  { what: 'a message that waits', path: `/messages/${submitted}` },
  { what: 'a message that was sent', path: `/messages/${sent}` },
  { what: 'approvals', path: '/approvals' },
  { what: 'an approval', path: `/approvals/message/${submitted}` },
  { what: 'results', path: '/results' },
  { what: 'quota', path: '/quota' },
]

/**
 * Measures the pages of a unit with this many messages, each of which 95 of 100 times takes at most 100 ms on the server
 * and at most a second to its first paint on a phone. The floor is a page that reads nothing of the unit.
 */
export async function measureB11(messages: number): Promise<Measured> {
  const installation = await openInstallation()
  try {
    await insertPeople(installation, messages * peopleEach, true)
    const { environment } = installation
    const variables = { ...environment.variables, RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_PER_SECOND: '0' }
    await installation.start(apiService({ ...environment, variables }))
    const pages = pagesOf(await fillLargeUnit(installation, messages))
    await installation.plainly(environment.addresses.databaseUrl, (client) => client.query('vacuum analyze'))
    const server: Took = new Map()
    const opened = (subset: BenchPage[]) => subset.map((page) => asApprover(installation, page))
    await readAll(installation, opened([floorPage, ...pages]), 1, new Map())
    const rounds = await alternate(
      () => readAll(installation, opened([floorPage]), each * pages.length, server),
      () => readAll(installation, opened(pages), each, server),
    )
    const writing = await writingPage(installation)
    await readAll(installation, opened([writing]), 1, new Map())
    await readAll(installation, opened([writing, floorPage]), each, server)
    const paints = browserPath ? await paintsOf(installation, [...pages, writing]) : []
    return {
      rounds,
      beside: [
        ...pages.map(({ what }) => p95Of(what, server.get(what)!, most.server)),
        p95Of(floorPage.what, server.get(floorPage.what)!),
        p95Of(
          writing.what,
          server.get(writing.what)!,
          most.writing * p95Of('', server.get(floorPage.what)!).figure,
        ),
        ...paints,
      ],
      notes: [
        `${messages} messages in the unit, ${messages * peopleEach} people`,
        browserPath
          ? `a phone of ${phone.width} px, 1.6 Mbit/s, ${phone.latency} ms, ${phone.slower} times slower than this machine`
          : 'first paint: not measured, there is no Chromium',
      ],
    }
  } finally {
    await installation.close()
  }
}

/** A message to everybody, as it is being written. */
async function writingPage({ environment, credentials, db }: BenchInstallation): Promise<BenchPage> {
  const { api } = environment.addresses
  const headers = {
    cookie: `hub_session=${credentials.session}`,
    origin: api,
    'content-type': 'application/x-www-form-urlencoded',
  }
  const post = async (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams(fields).toString()
    const answer = await fetch(api + path, { method: 'POST', headers, body, redirect: 'manual' })
    if (answer.status !== 303) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.headers.get('location')!
  }
  const { id: unit } = await db.selectFrom('unit').select('id').executeTakeFirstOrThrow()
  const path = await post('/compose', { unit })
  await post(path, {
    ...{ version: '1', act: 'check', categoryId: chatCategory, 'audience.kind': 'all' },
    ...{
      'messages.0.kind': 'text',
      'messages.0.text.zh-TW': '週五停課',
      'messages.0.text.en': 'No classes on Friday',
    },
  })
  return { what: 'a message being written', path }
}

function asApprover({ credentials }: BenchInstallation, page: BenchPage): Read {
  return { ...page, headers: { cookie: `hub_session=${credentials.session}`, accept: 'text/html' } }
}

/** How long each page takes to its first paint on a phone that has not opened it before. */
async function paintsOf(installation: BenchInstallation, pages: BenchPage[]): Promise<Baseline[]> {
  const browser = await startBrowser()
  const bar = progress('opening pages', pages.length)
  const figures: Baseline[] = []
  for (const { what, path } of pages) {
    const took: number[] = []
    for (let n = 0; n < openings; n += 1) took.push(await paintOf(installation, browser, path))
    figures.push({
      what: `${what}, first paint`,
      figure: percentile(took, 0.5),
      unit: 'ms',
      atMost: most.paint,
    })
    bar.to(figures.length)
  }
  bar.end()
  await browser.close()
  return figures
}

async function paintOf(
  { environment, credentials }: BenchInstallation,
  browser: Browser,
  path: string,
): Promise<number> {
  const { api } = environment.addresses
  const context = await browser.newContext({ viewport: { width: phone.width, height: phone.height } })
  await context.addCookies([{ name: 'hub_session', value: credentials.session, url: api }])
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: phone.latency },
    ...{ downloadThroughput: phone.down, uploadThroughput: phone.up },
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: phone.slower })
  await page.goto(api + path)
  const first = await page.evaluate<number>(
    'new Promise((done) => new PerformanceObserver((list) => { for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") done(startTime) }).observe({ type: "paint", buffered: true }))',
  )
  await context.close()
  return first
}

import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { browserPath, startBrowser } from '../../../dev/browser.ts'
import { aboutPages } from '../../../src/api/guide/about.ts'
import { clientPackagePath } from '../../../src/api/guide/client-package.ts'
import { anchorOf } from '../../../src/api/guide/page.ts'
import { startApi } from '../../fixtures/api.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

it('the page at /docs loads nothing from elsewhere', async () => {
  expect((await api.app.inject('/docs')).headers.location).toBe('/docs/')
  const page = await api.app.inject('/docs/')
  expect(page.statusCode).toBe(200)
  const addresses = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)
  expect(addresses).toEqual([expect.stringMatching(/^data:image\/svg\+xml,/), 'js/scalar.js'])
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/https?:/)
})

it('its script comes from this service', async () => {
  const script = await api.app.inject('/docs/js/scalar.js')
  expect(script.statusCode).toBe(200)
  expect(script.headers['content-type']).toContain('javascript')
})

describe('a person who is signed in', () => {
  it('is offered the session first, others a key', async () => {
    const schemeFor = async (cookies: Record<string, string>) => {
      const { body, headers } = await api.app.inject({ url: '/docs/', cookies })
      expect(headers['cache-control']).toBe('no-store')
      return /"preferredSecurityScheme": "(\w+)"/.exec(body)?.[1]
    }
    expect(await schemeFor({})).toBe('producer')
    expect(await schemeFor({ hub_session: api.sessions.editor })).toBe('session')
  })

  it('may leave the field for a key empty, but not fill it with a wrong one', async () => {
    const listWith = (authorization: string) =>
      api.call('listMessages', { session: api.sessions.editor, headers: { authorization } })
    expect((await listWith('Bearer ')).code).toBeNull()
    expect((await listWith('Bearer hub_nobody_secret')).code).toBe('invalid_credential')
  })

  it.skipIf(browserPath === undefined)('can send a request from the page, in Chromium', async () => {
    const base = await api.app.listen({ port: 0, host: '127.0.0.1' })
    const browser = await startBrowser()
    try {
      const context = await browser.newContext()
      await context.addCookies([{ name: 'hub_session', value: api.sessions.editor, url: base }])
      const page = await context.newPage()
      await page.goto(`${base}/docs/#tag/messages/GET/v1/messages`)
      await page.getByRole('button', { name: /Test Request.*get \/v1\/messages\)/i }).click()
      const [answered] = await Promise.all([
        page.waitForResponse((answer) => answer.url().startsWith(`${base}/v1/messages`)),
        page.getByRole('button', { name: /^Send get/i }).click(),
      ])
      expect(answered.status()).toBe(200)
    } finally {
      await browser.close()
    }
  })
})

describe('the pages of docs/api', () => {
  const folder = resolve(import.meta.dirname, '../../../docs/api')
  const names = readdirSync(folder).flatMap((name) => (name.endsWith('.md') ? [name.replace('.md', '')] : []))
  const addresses = [
    '/docs/api',
    '/docs/api/client',
    '/docs/api/changelog',
    '/docs/api/client-changelog',
    ...names.filter((name) => name !== 'README').map((name) => `/docs/api/${name}`),
  ]
  const pages = async () => {
    const answers = addresses.map(async (address) => [address, await api.app.inject(address)] as const)
    return new Map(await Promise.all(answers))
  }

  it('are served as pages without scripts', async () => {
    for (const [address, { statusCode, headers, body }] of await pages()) {
      expect(statusCode, address).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self'/)
      expect(body).toMatch(/<h1 id="[\w-]+">/)
      expect(body).not.toContain('<script')
    }
  })

  it('load a style sheet that browsers keep for ever', async () => {
    const { body } = (await pages()).get('/docs/api')!
    const [, sheet] = /<link rel="stylesheet" href="([^"]+)">/.exec(body)!
    const { statusCode, headers, body: css } = await api.app.inject(sheet!)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
    expect(headers['cache-control']).toContain('immutable')
    expect(css).toMatch(/^:root\{.*\nmain \{/s)
  })

  it('lead only to what this service serves, and to headings that exist', async () => {
    const served = await pages()
    const { body: description } = await api.app.inject('/openapi.json')
    const fromDescription = [...description.matchAll(/\]\((\/docs\/api[^)]*)\)/g)].map(([, link]) => link!)
    expect(new Set(fromDescription).size).toBeGreaterThan(15)
    const fromPages = [...served].flatMap(([address, { body }]) =>
      [...body.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, link]) =>
        link!.startsWith('#') ? address + link : link!,
      ),
    )
    for (const link of new Set([...fromDescription, ...fromPages])) {
      if (/^https?:/.test(link) || link === '/docs/') continue
      const [address = '', anchor] = link.split('#')
      expect([...served.keys()], link).toContain(address)
      if (anchor !== undefined) expect(served.get(address)!.body, link).toContain(` id="${anchor}"`)
    }
  })

  it('lead in Markdown to the Markdown of other pages, to headings that they have, and to images', async () => {
    const texts = new Map<string, string>()
    for (const address of addresses)
      texts.set(
        `${address}.md`,
        (await api.app.inject(`${address}.md`)).body.replaceAll(/^```.*?^```/gms, ''),
      )
    const { body: list } = await api.app.inject('/llms.txt')
    const others = new Set(['/openapi.json', '/docs', '/docs/', '/approvals', '/llms.txt'])
    let followed = 0
    for (const [page, text] of [...texts, ['/llms.txt', list] as const])
      for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        followed++
        if (/^https?:/.test(link!)) expect(URL.canParse(link!), `${page}: ${link}`).toBe(true)
        else if (link!.startsWith(`/docs/api/images/`))
          expect((await api.app.inject(link!)).statusCode, `${page}: ${link}`).toBe(200)
        else if (!others.has(link!)) {
          const [address, anchor] = link!.split('#')
          const target = texts.get(address || page)
          expect(target, `${page}: ${link}`).toBeDefined()
          const anchors = [...target!.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!))
          if (anchor) expect(anchors, `${page}: ${link}`).toContain(anchor)
        }
      }
    expect(followed).toBeGreaterThan(200)
  })

  it('are each described in a sentence of its own in /llms.txt, which names the library', async () => {
    const { body } = await api.app.inject('/llms.txt')
    const sentences = [...body.matchAll(/^- \[.+\]\(.+\): (.+)$/gm)].map(([, sentence]) => sentence!)
    expect(new Set(sentences).size).toBe(addresses.length)
    for (const sentence of sentences) {
      expect(sentence).toMatch(/^[A-Z].{30,150}\.$/)
      expect(sentence).not.toMatch(/undefined|npm /)
    }
    expect(Object.keys(aboutPages)).toHaveLength(addresses.length)
    expect(body).toContain(`npm install <this address>${clientPackagePath}`)
  })

  it('name the file of the library as it is served', async () => {
    for (const address of addresses) {
      const { body } = await api.app.inject(`${address}.md`)
      for (const [path] of body.matchAll(/\/client\/carillon-client-[\w.-]+?\.tgz/g))
        expect(path).toBe(clientPackagePath)
    }
  })

  it('are found by their words, in any of them, with a link to the heading', async () => {
    const find = async (query: string) =>
      (await api.app.inject({ url: '/docs/api/search', query: { q: query } })).body
    const upgrade = await find('upgrade')
    expect(upgrade).toContain('<a href="/docs/api/going-live#upgrades">Going live: Upgrades</a>')
    expect(await find('stale timestmap')).toContain('/docs/api/events#errors')
    expect(await find('noConsent')).toContain('/docs/api/reasons#skipped')
    expect(await find('zzqx')).toContain('Nothing found.')
    const hostile = await find('<script>alert("1")</script>')
    expect(hostile).not.toContain('<script>')
    expect(await find('')).toContain('Type a word above.')
  })

  it('are served as Markdown, which /llms.txt lists', async () => {
    const { body, headers } = await api.app.inject('/llms.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    const links = [...body.matchAll(/^- \[.+\]\((.+)\): .+[.:]$/gm)].map(([, link]) => link!)
    expect(links).toEqual(expect.arrayContaining(addresses.map((address) => `${address}.md`)))
    expect(links).toHaveLength(addresses.length)
    for (const link of links) {
      const page = await api.app.inject(link)
      expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8'])
      expect(page.body).toMatch(/^# /)
    }
  })

  it('show their images', async () => {
    const images = [...(await pages())].flatMap(([address, { body, headers }]) =>
      [...body.matchAll(/<img src="([^"]+)"/g)].map(([, image]) => ({
        url: new URL(image!, `https://hub.example.edu${address}`),
        policy: headers['content-security-policy'],
      })),
    )
    expect(images.length).toBeGreaterThan(0)
    for (const { url, policy } of images) {
      expect(policy).toContain("img-src 'self'")
      const { statusCode, headers } = await api.app.inject(url.pathname)
      expect(statusCode, url.pathname).toBe(200)
      expect(headers['content-type'], url.pathname).toMatch(/^image\/(png|svg\+xml)$/)
    }
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { guidePolicy, imagePolicy, renderFound, renderGuide, searchAddress } from './page.ts'
import { llmsText, searchIn } from './search.ts'

const project = resolve(import.meta.dirname, '../../..')
const folder = 'docs/api'
const index = `${folder}/README.md`
const client = 'client/README.md'

/** The pages that stand first in the list, in this order. */
const firstRead = ['first-integration.md', 'testing.md', 'going-live.md']

/** What a search counts for among the requests of an address: it takes as long as so many pages. */
const searchTokens = 20

const images = `${folder}/images`
const imageTypes: Record<string, string> = { '.png': 'image/png', '.svg': 'image/svg+xml' }

/**
 * Serves the pages of docs/api with their images, and the page of the client library, at /docs/api: as pages and as
 * Markdown, with a search, and listed in /llms.txt.
 */
export function guideRoutes(app: FastifyInstance): void {
  const { sources, pages, list, search, pictures } = guide()
  for (const [address, page] of pages)
    app.get(address, async (_request, reply) => {
      reply.header('content-security-policy', guidePolicy)
      return reply.type('text/html; charset=utf-8').send(page)
    })
  for (const { path, text } of sources) {
    const markdown = Buffer.from(text)
    app.get(`${addressOf(path)}.md`, (_request, reply) =>
      reply.type('text/markdown; charset=utf-8').send(markdown),
    )
  }
  app.get('/llms.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(list))

  const config = { tokens: searchTokens }
  app.get<{ Querystring: { q?: unknown } }>(searchAddress, { config }, async (request, reply) => {
    const query = String(request.query.q ?? '').slice(0, 200)
    reply.header('content-security-policy', guidePolicy)
    const page = renderFound(sources, addressOf, { query, found: search(query) })
    return reply.type('text/html; charset=utf-8').send(page)
  })

  for (const [name, image] of pictures)
    app.get(`/${images}/${name}`, (_request, reply) => {
      reply.header('content-security-policy', imagePolicy)
      return reply.type(imageTypes[extname(name)]!).send(image)
    })
  app.get('/docs/api/', (_request, reply) => reply.redirect('/docs/api', 301))
}

let read: ReturnType<typeof readGuide> | undefined

/** All of it, read and rendered once in a process. */
function guide(): ReturnType<typeof readGuide> {
  read ??= readGuide()
  return read
}

function readGuide() {
  const names = readdirSync(join(project, folder)).filter((name) => name.endsWith('.md'))
  const paths = [...firstRead, ...names.filter((name) => !firstRead.includes(name))]
    .map((name) => `${folder}/${name}`)
    .filter((path) => path !== index)
    .concat(client)
  const sources = [index, ...paths].map((path) => ({ path, text: readFileSync(join(project, path), 'utf8') }))
  return {
    sources,
    pages: [...renderGuide(sources, addressOf)].map(
      ([address, page]) => [address, Buffer.from(page)] as const,
    ),
    list: llmsText(sources, addressOf),
    search: searchIn(sources, addressOf),
    pictures: readdirSync(join(project, images)).map(
      (name) => [name, readFileSync(join(project, images, name))] as const,
    ),
  }
}

function addressOf(path: string): string {
  if (path === index) return '/docs/api'
  if (path === client) return '/docs/api/client'
  return `/docs/api/${path.slice(folder.length + 1, -'.md'.length)}`
}

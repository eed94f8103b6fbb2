import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { servedMarkdown } from './links.ts'
import { guidePolicy, imagePolicy, renderGuide, renderHits, searchAddress } from './page.ts'
import { llmsText, searchIn } from './search.ts'

const project = resolve(import.meta.dirname, '../../..')
const folder = 'docs/api'
const index = `${folder}/README.md`

/** The pages beside those of the folder, by their path. */
const others: Record<string, string> = {
  'client/README.md': '/docs/api/client',
  'CHANGELOG.md': '/docs/api/changelog',
  'client/CHANGELOG.md': '/docs/api/client-changelog',
}

/** The pages that stand first in the list, in this order. */
const firstRead = ['first-program.md', 'first-integration.md', 'testing.md', 'going-live.md']

/** What a search counts for among the requests of an address: it takes as long as so many pages. */
const searchTokens = 20

const images = `${folder}/images`
const imageTypes: Record<string, string> = { '.png': 'image/png', '.svg': 'image/svg+xml' }

/**
 * Serves the pages of docs/api with their images, the page of the client library and the changelogs, at /docs/api: as pages
 * and as Markdown, with a search, and listed in /llms.txt.
 */
export function guideRoutes(app: FastifyInstance): void {
  for (const { path } of sources) {
    app.get(addressOf(path), async (_request, reply) => {
      reply.header('content-security-policy', guidePolicy)
      return reply.type('text/html; charset=utf-8').send(rendered().pages.get(addressOf(path)))
    })
    app.get(`${addressOf(path)}.md`, (_request, reply) =>
      reply.type('text/markdown; charset=utf-8').send(rendered().markdown.get(path)),
    )
  }
  app.get('/llms.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(rendered().list))

  const config = { tokens: searchTokens }
  app.get<{ Querystring: { q?: unknown } }>(searchAddress, { config }, async (request, reply) => {
    const query = String(request.query.q ?? '').slice(0, 200)
    reply.header('content-security-policy', guidePolicy)
    const page = renderHits(sources, addressOf, { query, hits: rendered().search(query) })
    return reply.type('text/html; charset=utf-8').send(page)
  })

  for (const [name, image] of pictures)
    app.get(`/${images}/${name}`, (_request, reply) => {
      reply.header('content-security-policy', imagePolicy)
      return reply.type(imageTypes[extname(name)]!).send(image)
    })
  app.get('/docs/api/', (_request, reply) => reply.redirect('/docs/api', 301))
}

/** The pages, in the order of their list. */
const sources = pathsOf(readdirSync(join(project, folder))).map((path) => ({
  path,
  text: readFileSync(join(project, path), 'utf8'),
}))

const pictures = readdirSync(join(project, images)).map(
  (name) => [name, readFileSync(join(project, images, name))] as const,
)

function pathsOf(files: string[]): string[] {
  const names = files.filter((name) => name.endsWith('.md'))
  const pages = [...firstRead, ...names.filter((name) => !firstRead.includes(name))].map(
    (name) => `${folder}/${name}`,
  )
  return [index, ...pages.filter((path) => path !== index), ...Object.keys(others)]
}

let kept: ReturnType<typeof render> | undefined

/** What takes a quarter of a second of a start that few requests need: made at the first that does. */
function rendered(): ReturnType<typeof render> {
  kept ??= render()
  return kept
}

function render() {
  const addresses = new Map(sources.map(({ path }) => [path, addressOf(path)]))
  return {
    markdown: new Map(sources.map((source) => [source.path, servedMarkdown(source, addresses)])),
    pages: renderGuide(sources, addressOf),
    list: llmsText(sources, addressOf),
    search: searchIn(sources, addressOf),
  }
}

function addressOf(path: string): string {
  if (path === index) return '/docs/api'
  return others[path] ?? `/docs/api/${path.slice(folder.length + 1, -'.md'.length)}`
}

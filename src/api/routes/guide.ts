import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { guidePolicy, imagePolicy, renderGuide } from '../pages/guide-page.ts'

const project = resolve(import.meta.dirname, '../../..')
const folder = 'docs/api'
const index = `${folder}/README.md`
const client = 'client/README.md'

const images = `${folder}/images`
const imageTypes: Record<string, string> = { '.png': 'image/png', '.svg': 'image/svg+xml' }

/**
 * Serves the pages of docs/api with their images, and the page of the client library, at /docs/api. They are rendered
 * once, here.
 */
export function guideRoutes(app: FastifyInstance): void {
  const names = readdirSync(join(project, folder)).filter((name) => name.endsWith('.md'))
  const paths = [...names.map((name) => `${folder}/${name}`).filter((path) => path !== index), client]
  const sources = [index, ...paths].map((path) => ({ path, text: readFileSync(join(project, path), 'utf8') }))

  for (const [address, page] of renderGuide(sources, addressOf)) {
    const markup = Buffer.from(page)
    app.get(address, async (_request, reply) => {
      reply.header('content-security-policy', guidePolicy)
      return reply.type('text/html; charset=utf-8').send(markup)
    })
  }
  for (const name of readdirSync(join(project, images))) {
    const image = readFileSync(join(project, images, name))
    app.get(`/${images}/${name}`, (_request, reply) => {
      reply.header('content-security-policy', imagePolicy)
      return reply.type(imageTypes[extname(name)]!).send(image)
    })
  }
  app.get('/docs/api/', (_request, reply) => reply.redirect('/docs/api', 301))
}

function addressOf(path: string): string {
  if (path === index) return '/docs/api'
  if (path === client) return '/docs/api/client'
  return `/docs/api/${path.slice(folder.length + 1, -'.md'.length)}`
}

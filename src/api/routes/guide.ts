import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { guidePolicy, renderGuide } from '../pages/guide-page.ts'

const project = resolve(import.meta.dirname, '../../..')
const folder = 'docs/api'
const index = `${folder}/README.md`
const client = 'client/README.md'

/** Serves the pages of docs/api, and the one of the client library, at /docs/api. They are rendered once, here. */
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
  app.get('/docs/api/', (_request, reply) => reply.redirect('/docs/api', 301))
}

function addressOf(path: string): string {
  if (path === index) return '/docs/api'
  if (path === client) return '/docs/api/client'
  return `/docs/api/${path.slice(folder.length + 1, -'.md'.length)}`
}

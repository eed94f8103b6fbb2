import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { paletteSheet } from '../channels/palette.ts'
import { keysOf } from '../contract/enums.ts'

/**
 * What pages load besides themselves. `page`, `guide`: the looks of pages. `live`: fetches a page again while something on
 * it moves; `compose`: saves what is written. Pages work without the scripts, too.
 */
const assets = {
  page: sheet('console/kit/page.css'),
  guide: sheet('guide/page.css'),
  live: script('console/kit/live.js'),
  compose: script('console/compose/compose.js'),
}
export type ScriptName = 'live' | 'compose'

/** Where they are served: an address changes with its content, so that it may be kept for ever. */
export const assetPaths = Object.fromEntries(
  keysOf(assets).map((name) => [name, `/assets/${name}.${digest(assets[name].text)}.${assets[name].ending}`]),
) as Record<keyof typeof assets, string>

/** They are the same for everybody. */
export function assetRoutes(app: FastifyInstance): void {
  for (const name of keysOf(assets))
    app.get(assetPaths[name], (_request, reply) => {
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return reply.type(`${assets[name].type}; charset=utf-8`).send(assets[name].text)
    })
}

function sheet(file: string) {
  return { type: 'text/css', ending: 'css', text: `${paletteSheet}${read(file)}` }
}

function script(file: string) {
  return { type: 'text/javascript', ending: 'js', text: read(file) }
}

function read(file: string): string {
  return readFileSync(join(import.meta.dirname, file), 'utf8')
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12)
}

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { paletteSheet } from '../channels/palette.ts'
import { keysOf } from '../contract/enums.ts'

/**
 * What pages load besides themselves. `page`, `guide`: the looks of pages. `live`: fetches a page again while something on
 * it moves; `compose`: saves what is written, with the modules that it imports. Pages work without the scripts, too.
 */
const assets = {
  page: sheet('console/kit/page.css'),
  guide: sheet('guide/page.css'),
  live: script('console/kit/live.js'),
  ...composerScripts(),
}
export type ScriptName = 'live' | 'compose'

/** Where they are served: an address changes with its content, so that it may be kept for ever. */
export const assetPaths = Object.fromEntries(
  keysOf(assets).map((name) => [name, pathOf(name, assets[name])]),
) as Record<keyof typeof assets, string>

/** They are the same for everybody. */
export function assetRoutes(app: FastifyInstance): void {
  for (const name of keysOf(assets))
    app.get(assetPaths[name], (_request, reply) => {
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return reply.type(`${assets[name].type}; charset=utf-8`).send(assets[name].text)
    })
}

type Asset = { type: string; ending: string; text: string }

function sheet(file: string): Asset {
  return { type: 'text/css', ending: 'css', text: `${paletteSheet}${read(file)}` }
}

function script(file: string): Asset {
  return { type: 'text/javascript', ending: 'js', text: read(file) }
}

/** A module imports others by the addresses at which they are served. */
function composerScripts() {
  const merge = script('console/compose/merge.js')
  const fields = importing(script('console/compose/fields.js'), { merge })
  const copy = script('console/compose/copy.js')
  const upload = importing(script('console/compose/upload.js'), { merge, fields })
  return {
    merge,
    fields,
    copy,
    upload,
    compose: importing(script('console/compose/compose.js'), { merge, fields, copy, upload }),
  }
}

function importing(module: Asset, modules: Record<string, Asset>): Asset {
  const text = Object.entries(modules).reduce(
    (all, [name, asset]) => all.replace(`from './${name}.js'`, `from '${pathOf(name, asset)}'`),
    module.text,
  )
  return { ...module, text }
}

function pathOf(name: string, { text, ending }: Asset): string {
  return `/assets/${name}.${digest(text)}.${ending}`
}

function read(file: string): string {
  return readFileSync(join(import.meta.dirname, file), 'utf8')
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12)
}

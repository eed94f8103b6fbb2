import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { keysOf } from '../../../contract/enums.ts'

/**
 * The scripts of pages. `live`: fetches a page again while something on it moves; `compose`: saves what is written.
 * Without them the pages work too.
 */
export const scripts = { live: sourceOf('live.js'), compose: sourceOf('../compose/compose.js') }
export type ScriptName = keyof typeof scripts

/** Where they are served: an address changes with its script, so that it may be kept for ever. */
export const scriptPaths = Object.fromEntries(
  keysOf(scripts).map((name) => [name, `/assets/${name}.${digest(scripts[name])}.js`]),
) as Record<ScriptName, string>

function sourceOf(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
}

function digest(source: string): string {
  return createHash('sha256').update(source).digest('base64url').slice(0, 12)
}

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The script of pages on which something moves; without it they have a link to refresh. */
export const liveScript = readFileSync(new URL('../assets/live.js', import.meta.url), 'utf8')

/** Where it is served: the address changes with it, so that it may be kept for ever. */
export const liveScriptPath = `/assets/live.${createHash('sha256').update(liveScript).digest('base64url').slice(0, 12)}.js`

import { isOneOf, locales } from '../../contract/enums.ts'

/**
 * Every string of a message that a person sees or follows: localised texts and URLs, but not identifiers, kinds or a
 * producer's postback data. Rendering and the check of a template at save share this walk.
 */

/** What a string is for: `light` is a text that is lightly formatted (light.ts). */
export type TextUse = 'text' | 'light' | 'url'

/** `path` points into the walked value, e.g. `[0].cards[1].title.zh-TW`. */
type TextVisit = (text: string, path: string, use: TextUse) => string

const urlFields = new Set(['url', 'imageUrl', 'previewUrl'])
/** The fields to which the format of a message or card applies. */
const formattedFields = new Set(['text', 'body'])

/** A copy of `value` in which every text and URL is replaced by the result of `visit`. */
export function mapTexts<T>(value: T, visit: TextVisit, path = ''): T {
  return walk(value, visit, { path, use: 'text' }) as T
}

type Position = { path: string; use: 'text' | 'light' }

function walk(value: unknown, visit: TextVisit, { path, use }: Position): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => walk(item, visit, { path: `${path}[${index}]`, use: 'text' }))
  if (typeof value !== 'object' || value === null) return value
  const isLight = 'format' in value && value.format === 'light'
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const at = path === '' ? name : `${path}.${name}`
      if (typeof field !== 'string') {
        const inside = isLight && formattedFields.has(name) ? 'light' : 'text'
        return [name, walk(field, visit, { path: at, use: inside })]
      }
      if (urlFields.has(name)) return [name, visit(field, at, 'url')]
      return [name, isOneOf(locales, name) ? visit(field, at, use) : field]
    }),
  )
}

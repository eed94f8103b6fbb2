import { isOneOf, locales } from '../../contract/enums.ts'

/**
 * Every string of a message that a person sees or follows: localised texts and URLs, but not identifiers, kinds or a
 * producer's postback data. Rendering and the check of a template at save share this walk.
 */

/** `path` points into the walked value, e.g. `[0].cards[1].title.zh-TW`. */
type TextVisit = (text: string, path: string, use: 'text' | 'url') => string

const urlFields = new Set(['url', 'imageUrl', 'previewUrl'])

/** A copy of `value` in which every text and URL is replaced by the result of `visit`. */
export function mapTexts<T>(value: T, visit: TextVisit, path = ''): T {
  return walk(value, visit, path) as T
}

function walk(value: unknown, visit: TextVisit, path: string): unknown {
  if (Array.isArray(value)) return value.map((item, index) => walk(item, visit, `${path}[${index}]`))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const at = path === '' ? name : `${path}.${name}`
      if (typeof field !== 'string') return [name, walk(field, visit, at)]
      if (urlFields.has(name)) return [name, visit(field, at, 'url')]
      return [name, isOneOf(locales, name) ? visit(field, at, 'text') : field]
    }),
  )
}

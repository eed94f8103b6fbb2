import { isOneOf, type Locale, locales } from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import { canonicalJson } from '../../../domain/lib/canonical-json.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { kitWords } from '../kit/words.ts'
import { factWords } from './words.ts'

/**
 * One thing that two versions may say differently. It has changed if what is stored has, however it is shown; the lines
 * show it to the reader, in sections whose order does not change.
 */
export type Compared = { what: string; before: Side; now: Side }
type Side = { stored: unknown; sections: string[][] }

/**
 * The differences from the version in force, or from the one that the reader has seen. "None" means that the stored
 * content of the two is the same.
 */
export function changeLines(locale: Locale, version: number, compared: readonly Compared[]): Markup[] {
  const words = factWords[locale]
  const { colon } = kitWords[locale]
  const spoken = (what: string) => html`<span class="spoken">${what}${colon}</span>`
  const rows = compared.filter(hasChanged).map((one) => {
    const { before, now } = differing(one)
    const old = before.length > 0 ? html`<del>${spoken(words.removed)}${before.join('\n')}</del>` : html``
    const fresh = now.length > 0 ? html`<ins>${spoken(words.added)}${now.join('\n')}</ins>` : html``
    return html`<p class="quiet">${one.what}</p>${old}${fresh}`
  })
  const head = words.comparedWith(String(version))
  return [html`<p>${head}${colon}${rows.length === 0 ? words.none : ''}</p>`, ...rows]
}

/** Whether what is stored differs. */
export function hasChanged({ before, now }: Compared): boolean {
  return canonicalJson(before.stored) !== canonicalJson(now.stored)
}

/** The lines that differ; what is stored where its lines read the same. */
function differing({ before, now }: Compared): { before: string[]; now: string[] } {
  const count = Math.max(before.sections.length, now.sections.length)
  const sections = Array.from({ length: count }, (_, index) =>
    withoutCommonEnds(before.sections[index] ?? [], now.sections[index] ?? []),
  )
  const lines = { before: sections.flatMap(([old]) => old), now: sections.flatMap(([, fresh]) => fresh) }
  if (lines.before.length > 0 || lines.now.length > 0) return lines
  return { before: [canonicalJson(before.stored)], now: [canonicalJson(now.stored)] }
}

/** What is left of two lists without the lines with which both begin and end. Their order stays visible. */
function withoutCommonEnds(before: string[], now: string[]): [before: string[], now: string[]] {
  const shorter = Math.min(before.length, now.length)
  let start = 0
  while (start < shorter && before[start] === now[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === now.at(-1 - end)) end += 1
  return [before.slice(start, before.length - end), now.slice(start, now.length - end)]
}

/** What is compared by the lines that show it. */
export function comparedLines(what: string, before: string[], now: string[]): Compared {
  return { what, before: { stored: before, sections: [before] }, now: { stored: now, sections: [now] } }
}

/** What has no lines of its own, and is shown as it is stored. */
export function comparedAsStored(what: string, before: unknown, now: unknown): Compared {
  return { what, before: { stored: before, sections: [] }, now: { stored: now, sections: [] } }
}

/** The texts in a value that are written in this language, in their order. */
export function textsIn(value: unknown, locale: Locale): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (isText(value)) return value[locale] === undefined ? [] : [value[locale]]
  return Object.values(value).flatMap((part) => textsIn(part, locale))
}

/** What a value holds beside its texts, such as links, ids and kinds: a line each. `nameOf`: the name of an id. */
export function settingsIn(value: unknown, nameOf = (id: string) => id, name = ''): string[] {
  if (typeof value !== 'object' || value === null)
    return value === undefined || (name === 'kind' && value === 'text')
      ? []
      : [`${name} ${nameOf(String(value))}`]
  if (isText(value)) return []
  return Object.entries(value).flatMap(([key, part]) =>
    settingsIn(part, nameOf, Array.isArray(value) ? name : key),
  )
}

function isText(value: object): value is LocalisedText {
  const keys = Object.keys(value)
  return keys.includes('zh-TW') && keys.every((key) => isOneOf(locales, key))
}

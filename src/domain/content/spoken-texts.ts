import type { Locale } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import { localise } from './localise.ts'

/** The localised texts in a value, in their order. */
export function spokenTexts(value: unknown, locale: Locale): string[] {
  if (typeof value !== 'object' || value === null) return []
  if ('zh-TW' in value && typeof value['zh-TW'] === 'string')
    return [localise(locale, value as LocalisedText)]
  return Object.entries(value).flatMap(([key, part]) => (key === 'kind' ? [] : spokenTexts(part, locale)))
}

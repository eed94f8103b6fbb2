import type { Locale } from '../contract/enums.ts'
import type { LocalisedText } from '../contract/localised-text.ts'

/** The text a reader of this locale gets: their own, or zh-TW where there is no other. */
export function localise(locale: Locale, text: LocalisedText): string {
  return text[locale] ?? text['zh-TW']
}

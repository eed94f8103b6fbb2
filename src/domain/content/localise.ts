import type { Locale } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'

/** The text in this locale, or in zh-TW if there is none. */
export function localise(locale: Locale, text: LocalisedText): string {
  return text[locale] ?? text['zh-TW']
}

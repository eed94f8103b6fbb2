import type { Locale } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import { localise } from './localise.ts'

/** What the chat answers a tap, unless its category says otherwise; `{label}` is the label that was tapped. */
export const defaultAcknowledgement: LocalisedText = { 'zh-TW': '已收到：{label}', en: 'Got it: {label}' }

/** What the chat answers where a scenario starts nothing now, whatever was to begin it. */
export const notAvailable: LocalisedText = {
  'zh-TW': '這項服務目前沒有開放。',
  en: 'This is not available at the moment.',
}

/** The outcome of a tap that gets an answer: taken, an opt-out of the reminder, or too late. */
export type TapResult =
  | { kind: 'answered'; label: LocalisedText }
  | { kind: 'not_reminded' | 'closed' | 'not_active' }

const fixed: Record<'not_reminded' | 'closed' | 'not_active', LocalisedText> = {
  not_active: notAvailable,
  not_reminded: {
    'zh-TW': '好的，不會再提醒您這則訊息。',
    en: 'OK, you will not be reminded of this message.',
  },
  closed: { 'zh-TW': '這則訊息已不再接受回覆。', en: 'This message no longer accepts answers.' },
}

/** The words with which the chat answers a tap, in the reader's language. */
export function acknowledgementOf(text: LocalisedText, locale: Locale, result: TapResult): string {
  if (result.kind !== 'answered') return localise(locale, fixed[result.kind])
  // A function, because a label may contain `$&`.
  return localise(locale, text).replaceAll('{label}', () => localise(locale, result.label))
}

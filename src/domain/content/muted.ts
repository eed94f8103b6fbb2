import { channelFacts } from '../../channels/facts/by-channel.ts'
import type { Channel, Locale } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import { localise } from './localise.ts'

/**
 * What a button that turns a category off has done, or its undoing. `channels`: those that were switched; none: it was off
 * already. `not_mutable`: the category has become mandatory.
 */
export type Muted = {
  kind: 'muted' | 'unmuted' | 'not_mutable'
  category: LocalisedText
  channels: readonly Channel[]
}

/** The sentence about it, in both languages. */
export function mutedText(muted: Muted): LocalisedText {
  const inLocale = (locale: Locale) =>
    sentences[locale][muted.kind](localise(locale, muted.category), channelsIn(locale, muted.channels))
  return { 'zh-TW': inLocale('zh-TW'), en: inLocale('en') }
}

/** The labels of the buttons below the sentence. */
export const mutedButtons: Record<Locale, { undo: string; settings: string }> = {
  'zh-TW': { undo: '復原', settings: '通知設定' },
  en: { undo: 'Undo', settings: 'Notification settings' },
}

/** `by`: the channels in words; null: none was switched. */
type Sentence = (category: string, by: string | null) => string

const sentences: Record<Locale, Record<Muted['kind'], Sentence>> = {
  'zh-TW': {
    muted: (category, by) =>
      by === null ? `「${category}」先前已經關閉了。` : `已關閉「${category}」（${by}）。`,
    unmuted: (category, by) => `已恢復「${category}」${by === null ? '' : `（${by}）`}。`,
    not_mutable: (category) => `「${category}」是必要通知，無法關閉。`,
  },
  en: {
    muted: (category, by) =>
      by === null ? `“${category}” was already off.` : `“${category}” is now off (${by}).`,
    unmuted: (category, by) => `“${category}” is on again${by === null ? '' : ` (${by})`}.`,
    not_mutable: (category) => `“${category}” is mandatory and cannot be turned off.`,
  },
}

const and: Record<Locale, string> = { 'zh-TW': '與', en: ' and ' }

function channelsIn(locale: Locale, channels: readonly Channel[]): string | null {
  if (channels.length === 0) return null
  const names = channels.map((channel) => channelFacts[channel].names[locale])
  return names.map(({ inText, inSummary }) => (locale === 'zh-TW' ? inSummary : inText)).join(and[locale])
}

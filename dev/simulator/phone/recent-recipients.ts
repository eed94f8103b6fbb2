import type { JournalItem } from '../journal.ts'

/**
 * A recent recipient. `locale` is a guess from the last text they received; earlier texts may contain names in other
 * scripts.
 */
export type RecentRecipient = { id: string; locale: 'zh-TW' | 'en'; line: string; at: string; seq: number }

/** The recipients listed on the page: a bounded number of the latest for each language. */
export type Recent = { remember(item: JournalItem): void; list(): RecentRecipient[] }

const keptPerLocale = 12
const shownPerCall = 4

/** Creates an empty list of recent recipients. */
export function createRecent(): Recent {
  const kept = { 'zh-TW': new Map<string, RecentRecipient>(), en: new Map<string, RecentRecipient>() }

  return {
    remember({ status, to, messages, at, seq }) {
      if (status !== 200) return
      const line = lastWords(messages)
      const locale = /\p{Script=Han}/u.test(line) ? 'zh-TW' : 'en'
      for (const id of to.slice(0, shownPerCall)) {
        kept['zh-TW'].delete(id)
        kept.en.delete(id)
        kept[locale].set(id, { id, locale, line, at, seq })
        if (kept[locale].size > keptPerLocale) kept[locale].delete(kept[locale].keys().next().value!)
      }
    },
    list: () => [...kept['zh-TW'].values(), ...kept.en.values()].sort((a, b) => b.seq - a.seq),
  }
}

/** The preview of a call in a chat list: its last text. */
function lastWords(messages: unknown[]): string {
  const { type, text, altText } = (messages.at(-1) ?? {}) as {
    type?: string
    text?: string
    altText?: string
  }
  return String(text ?? altText ?? (type === 'image' ? 'Photo' : 'Sticker')).slice(0, 80)
}

import type { JournalItem } from '../journal.ts'

/**
 * A person who received something lately. `locale` is a guess from the last words they received:
 * a name in other letters may stand in any text before them.
 */
export type RecentRecipient = { id: string; locale: 'zh-TW' | 'en'; line: string; at: string; seq: number }

/** The people whom the page offers: the last few of each language, bounded whatever is sent. */
export type Recent = { remember(item: JournalItem): void; list(): RecentRecipient[] }

const keptPerLocale = 12
const shownPerCall = 4

/** A list of recent recipients, empty. */
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

/** What a chat list would show of a call: its last words. */
function lastWords(messages: unknown[]): string {
  const { type, text, altText } = (messages.at(-1) ?? {}) as {
    type?: string
    text?: string
    altText?: string
  }
  return String(text ?? altText ?? (type === 'image' ? 'Photo' : 'Sticker')).slice(0, 80)
}

import type { Locale } from '../../contract/enums.ts'

type Words = {
  /** BCP 47, for screen readers and the choice of glyphs. */
  lang: string
  sticker: string
  remind: string
  doNotRemind: string
  reason: (unit: string, category: string) => string
  unsubscribe: string
  preferences: string
}

/** The texts that mail puts around the producer's content. */
export const words: Record<Locale, Words> = {
  'zh-TW': {
    lang: 'zh-Hant-TW',
    sticker: '（貼圖）',
    remind: '我們稍後會再提醒您一次。',
    doNotRemind: '不用再提醒我',
    reason: (unit, category) => `寄件單位：${unit}。通知類別：${category}。`,
    unsubscribe: '取消訂閱這類通知',
    preferences: '通知設定',
  },
  en: {
    lang: 'en',
    sticker: '(sticker)',
    remind: 'We will send you a reminder later.',
    doNotRemind: 'Do not remind me',
    reason: (unit, category) => `Sent by ${unit}. Category: ${category}.`,
    unsubscribe: 'Unsubscribe from this category',
    preferences: 'Notification settings',
  },
}

import type { Locale } from '../../contract/enums.ts'

const chinese = {
  /** BCP 47, for screen readers and the choice of glyphs. */
  lang: 'zh-Hant-TW',
  sticker: '（貼圖）',
  /** Before the subject of a reminder. */
  reminder: '提醒：',
  remind: (moment: string) => `我們會在 ${moment}再提醒您一次。`,
  doNotRemind: '不用再提醒我',
  /** Why the reader gets the mail, in one line: they may choose, or the category is mandatory. */
  reason: {
    chosen: (unit: string, category: string) =>
      `這是「${unit}」寄給您的「${category}」通知。如要取消訂閱或變更設定，請使用以下連結。`,
    mandatory: (unit: string, category: string) =>
      `這是「${unit}」寄給您的「${category}」，屬於必要通知，會寄給所有相關人員。您可以在通知設定中變更語言。`,
  },
  unsubscribe: '取消訂閱這類通知',
  preferences: '通知設定',
  view: '在瀏覽器中檢視',
}

/** The texts that mail puts around the producer's content. */
export const words: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    lang: 'en',
    sticker: '(sticker)',
    reminder: 'Reminder: ',
    remind: (moment) => `We will remind you on ${moment}.`,
    doNotRemind: 'Do not remind me',
    reason: {
      chosen: (unit, category) =>
        `You receive this mail because “${category}” from ${unit} is turned on for you. To change that, use the links below.`,
      mandatory: (unit, category) =>
        `You receive this mail because “${category}” from ${unit} is mandatory: it goes to everyone it concerns. You ` +
        'can change the language in your notification settings.',
    },
    unsubscribe: 'Unsubscribe from this category',
    preferences: 'Notification settings',
    view: 'View in browser',
  },
}

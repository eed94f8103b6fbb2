import type { Locale } from '../../../contract/enums.ts'

const chinese = {
  /** What a phone shows, for those who do not see it. */
  phone: (language: string) => `聊天畫面（${language}）`,
  /** Between two calls: each costs a push. */
  nextCall: (number: string) => `第 ${number} 次推播`,
  sticker: (ids: string) => `貼圖 ${ids}`,
  /** A picture of another host: nobody else learns who looks at a page. */
  picture: '圖片在其他網站，這裡不載入',
  quickReplies: '聊天室下方的選項',
  carousel: (count: string) => `共 ${count} 張卡片，可左右滑動`,
  first: '收件人看到的畫面',
  reminder: '提醒的畫面',
  plain: '純文字版',
}

/** The words around a drawn chat. */
export const previewWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    phone: (language) => `The chat (${language})`,
    nextCall: (number) => `Push ${number}`,
    sticker: (ids) => `Sticker ${ids}`,
    picture: 'A picture of another site, which is not loaded here',
    quickReplies: 'Choices below the chat',
    carousel: (count) => `${count} cards, side by side`,
    first: 'What recipients see',
    reminder: 'What the reminder shows',
    plain: 'Plain text',
  },
}

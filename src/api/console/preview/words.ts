import type { Locale } from '../../../contract/enums.ts'

type Words = {
  /** What a phone shows, for those who do not see it. */
  phone: (language: string) => string
  /** Between two calls: each costs a push. */
  nextCall: (number: string) => string
  sticker: (ids: string) => string
  /** A picture of another host: nobody else learns who looks at a page. */
  picture: string
  quickReplies: string
  carousel: (count: string) => string
  first: string
  reminder: string
  plain: string
}

/** The words around a drawn chat. */
export const previewWords: Record<Locale, Words> = {
  'zh-TW': {
    phone: (language) => `聊天畫面（${language}）`,
    nextCall: (number) => `第 ${number} 次推播`,
    sticker: (ids) => `貼圖 ${ids}`,
    picture: '圖片在其他網站，這裡不載入',
    quickReplies: '聊天室下方的選項',
    carousel: (count) => `共 ${count} 張卡片，可左右滑動`,
    first: '收件人看到的畫面',
    reminder: '提醒的畫面',
    plain: '純文字版',
  },
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

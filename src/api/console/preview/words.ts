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
  /** In place of what is not written yet. */
  noText: '（還沒有文字）',
  noTemplate: '（還沒有選範本）',
  noPart: '（這一段還不能顯示）',
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
    noText: '(no text yet)',
    noTemplate: '(no template yet)',
    noPart: '(cannot be shown yet)',
  },
}

const inBoth = (name: 'noText' | 'noTemplate' | 'noPart') => ({
  'zh-TW': chinese[name],
  en: previewWords.en[name],
})

/** What stands in a preview for a text, a template or a part that is not there yet. */
export const standIns = { text: inBoth('noText'), template: inBoth('noTemplate'), part: inBoth('noPart') }

/** Whether a text of a preview stands in for another. */
export function isStandIn(text: string): boolean {
  return Object.values(standIns).some((one) => one['zh-TW'] === text || one.en === text)
}

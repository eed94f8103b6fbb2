import { type Advice, textAdvice, type ViolationsOf, violationsBy } from '../violations.ts'

/** What the author is told to do, by code. */
const advice = {
  ...textAdvice,
  too_large: (limit: number) => ({
    'zh-TW': `這則訊息太大（上限 ${limit} 位元組）。請縮短文字，或減少按鈕或卡片。`,
    en: `This is too big for the chat app (at most ${limit} bytes). Shorten its texts, or take out a button or a card.`,
  }),
  https_required: () => ({
    'zh-TW': '圖片網址必須以 https:// 開頭。',
    en: 'The address of an image must begin with https://.',
  }),
  unsupported_link: () => ({
    'zh-TW': '連結必須以 https://、http://、line:// 或 tel: 開頭。',
    en: 'A link must begin with https://, http://, line:// or tel:.',
  }),
  unknown_sticker: () => ({
    'zh-TW': '貼圖的 packageId 與 stickerId 必須是數字。請更正，或加上 fallbackText。',
    en: 'packageId and stickerId of a sticker are numbers. Correct them, or add a fallbackText.',
  }),
} satisfies Advice<string>

/** What the chat channel finds wrong with a message. */
export type Violations = ViolationsOf<keyof typeof advice>

/** An empty list, for one message. */
export function newViolations(): Violations {
  return violationsBy(advice)
}

import { type Advice, textAdvice, type ViolationsOf, violationsBy } from '../violations.ts'

/** Advice to the author, by code. */
const advice = {
  ...textAdvice,
  too_large: (limit: number) => ({
    'zh-TW': `這則訊息過大（上限 ${limit} 位元組）。請縮短文字，或移除部分按鈕或卡片。`,
    en: `This message is too large (limit: ${limit} bytes). Shorten its text, or remove a button or a card.`,
  }),
  https_required: () => ({
    'zh-TW': '圖片網址必須以 https:// 開頭。',
    en: 'An image URL must start with https://.',
  }),
  unsupported_link: () => ({
    'zh-TW': '連結必須以 https://、http://、line:// 或 tel: 開頭。',
    en: 'A link must start with https://, http://, line:// or tel:.',
  }),
  unknown_sticker: () => ({
    'zh-TW': '貼圖的 packageId 和 stickerId 必須是數字。請修正，或填寫 fallbackText。',
    en: "A sticker's packageId and stickerId must be numbers. Correct them, or add a fallbackText.",
  }),
} satisfies Advice<string>

/** Violations of a message on the chat channel. */
export type Violations = ViolationsOf<keyof typeof advice>

/** An empty list of violations, for one message. */
export function newViolations(): Violations {
  return violationsBy(advice)
}

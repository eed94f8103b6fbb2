import { type Advice, textAdvice, type ViolationsOf, violationsBy } from '../violations.ts'

/** Advice to the author, by code. */
const advice = {
  ...textAdvice,
  too_large: (limit: number) => ({
    'zh-TW': `這封郵件過大（上限 ${limit} 位元組），收件人會看不到結尾。請縮短文字，或移除部分訊息。`,
    en: `This mail is too large (limit: ${limit} bytes): its end would be cut off. Shorten its text, or remove a message.`,
  }),
  unsupported_image: () => ({
    'zh-TW': '圖片網址必須以 https:// 或 http:// 開頭。',
    en: 'An image URL must start with https:// or http://.',
  }),
  unsupported_link: () => ({
    'zh-TW': '連結必須以 https://、http://、line://、tel: 或 mailto: 開頭。',
    en: 'A link must start with https://, http://, line://, tel: or mailto:.',
  }),
} satisfies Advice<string>

/** Violations of a message on the e-mail channel. */
export type Violations = ViolationsOf<keyof typeof advice>

/** An empty list of violations, for one message. */
export function newViolations(): Violations {
  return violationsBy(advice)
}

import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Violation } from '../channel.ts'

/** What the author is told to do, by code. */
const advice = {
  too_long: (limit: number) => ({
    'zh-TW': `請縮短至 ${limit} 個字以內。`,
    en: `Shorten this to at most ${limit} characters.`,
  }),
  too_large: (limit: number) => ({
    'zh-TW': `這封郵件太大(上限 ${limit} 位元組),收件者會看不到結尾。請縮短文字,或減少訊息。`,
    en: `This mail is so big that its end would be cut off (at most ${limit} bytes). Shorten its texts, or take out a message.`,
  }),
  blank: () => ({
    'zh-TW': '這裡只有空白。請輸入文字,或移除這個欄位。',
    en: 'There is only white space here. Write a text, or leave the field out.',
  }),
  broken_text: () => ({
    'zh-TW': '這段文字含有不完整的字元。請重新輸入。',
    en: 'This text holds half a character. Type it again.',
  }),
  unsupported_image: () => ({
    'zh-TW': '圖片網址必須以 https:// 或 http:// 開頭。',
    en: 'The address of an image must begin with https:// or http://.',
  }),
  unsupported_link: () => ({
    'zh-TW': '連結必須以 https://、http://、line://、tel: 或 mailto: 開頭。',
    en: 'A link must begin with https://, http://, line://, tel: or mailto:.',
  }),
} satisfies Record<string, (limit: number) => LocalisedText>

/** What mail may find wrong with a message. */
export type ViolationCode = keyof typeof advice

/** The violations found so far. The same one, met again in another locale that falls back, is kept once. */
export class Violations {
  readonly #found = new Map<string, Violation>()

  add(path: string, code: ViolationCode, limit?: number): void {
    const message = advice[code](limit ?? 0)
    this.#found.set(`${path} ${code}`, { path, code, ...(limit !== undefined && { limit }), message })
  }

  list(): Violation[] {
    return [...this.#found.values()]
  }
}

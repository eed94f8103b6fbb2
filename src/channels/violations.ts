import type { LocalisedText } from '../contract/localised-text.ts'
import type { Violation } from '../domain/audience.ts'

/** What the author is told to do, by code; `limit` where the code has one. */
export type Advice<Code extends string> = Record<Code, (limit: number) => LocalisedText>

/** What any channel may find wrong with a text. */
export const textAdvice = {
  too_long: (limit: number) => ({
    'zh-TW': `請縮短至 ${limit} 個字以內。`,
    en: `Shorten this to at most ${limit} characters.`,
  }),
  blank: () => ({
    'zh-TW': '這裡只有空白。請輸入文字，或移除這個欄位。',
    en: 'There is only white space here. Write a text, or leave the field out.',
  }),
  broken_text: () => ({
    'zh-TW': '這段文字含有不完整的字元。請重新輸入。',
    en: 'This text holds half a character. Type it again.',
  }),
} satisfies Advice<string>

/** The violations found so far. The same one, met again in another locale that falls back, is kept once. */
export type ViolationsOf<Code extends string> = {
  add(path: string, code: Code, limit?: number): void
  list(): Violation[]
}

/** A list of what one channel finds wrong with one message, in the channel's own words. */
export function violationsBy<Code extends string>(advice: Advice<Code>): ViolationsOf<Code> {
  const found = new Map<string, Violation>()
  return {
    add(path, code, limit) {
      const message = advice[code](limit ?? 0)
      found.set(`${path} ${code}`, { path, code, ...(limit !== undefined && { limit }), message })
    },
    list: () => [...found.values()],
  }
}

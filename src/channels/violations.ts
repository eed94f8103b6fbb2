import type { LocalisedText } from '../contract/localised-text.ts'
import type { Violation } from '../domain/audience/audience.ts'

/** Advice to the author, by code; `limit` if the code has one. */
export type Advice<Code extends string> = Record<Code, (limit: number) => LocalisedText>

/** Violations of a text on any channel. */
export const textAdvice = {
  too_long: (limit: number) => ({
    'zh-TW': `請縮短至 ${limit} 個字以內。`,
    en: `Shorten this to at most ${limit} characters.`,
  }),
  blank: () => ({
    'zh-TW': '這個欄位是空白的。請輸入文字，或移除這個欄位。',
    en: 'This text is blank. Enter some text, or remove the field.',
  }),
  broken_text: () => ({
    'zh-TW': '這段文字含有不完整的字元。請重新輸入。',
    en: 'This text contains an incomplete character. Enter it again.',
  }),
} satisfies Advice<string>

/** The codes about the form of an address: each channel has its own rule about the same fault. */
export const addressCodes: ReadonlySet<string> = new Set([
  'https_required',
  'unsupported_image',
  'unsupported_link',
])

/** The violations found so far. One that recurs in a locale that falls back is kept once. */
export type ViolationsOf<Code extends string> = {
  add(path: string, code: Code, limit?: number): void
  list(): Violation[]
}

/** A list of one channel's violations of one message, with the channel's own advice. */
export function violationsBy<Code extends string>(advice: Advice<Code>): ViolationsOf<Code> {
  const violations = new Map<string, Violation>()
  return {
    add(path, code, limit) {
      const message = advice[code](limit ?? 0)
      violations.set(`${path} ${code}`, { path, code, ...(limit !== undefined && { limit }), message })
    },
    list: () => [...violations.values()],
  }
}

import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Violation } from '../audience/audience.ts'
import { mapTexts } from './texts.ts'

const code = 'no_english'
const [chinese, english] = ['.zh-TW', '.en'] as const

/** What an author should know about texts without English, if anybody who reads English receives them: one warning. */
export function noEnglish(messages: readonly CanonicalMessage[]): Violation[] {
  const paths = new Set<string>()
  mapTexts({ messages }, (text, path) => {
    paths.add(path)
    return text
  })
  const missing = [...paths].filter(
    (path) => path.endsWith(chinese) && !paths.has(path.slice(0, -chinese.length) + english),
  )
  const [first] = missing
  if (first === undefined) return []
  return [
    {
      path: first.slice(0, -chinese.length),
      code,
      message: {
        'zh-TW': `有 ${missing.length} 段文字沒有英文，語言設為英文的收件人會看到中文。`,
        en: `${missing.length === 1 ? 'A text has' : `${missing.length} texts have`} no English, so recipients who read English get the Chinese.`,
      },
    },
  ]
}

/** Warnings without that one, for a message that nobody who reads English receives. */
export function withoutNoEnglish(warnings: readonly Violation[]): Violation[] {
  return warnings.filter((one) => one.code !== code)
}

import { z } from 'zod'
import { textAdvice } from '../../channels/violations.ts'
import { describeIssue } from '../../contract/describe-issue.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Violation } from '../../domain/audience/audience.ts'
import { pathOf } from '../validation-error.ts'

const Messages = z.object({ messages: z.array(CanonicalMessage) })

/** What variables have made invalid in messages: an empty text, a malformed address. */
export function brokenBy(messages: CanonicalMessage[]): Violation[] {
  const checked = Messages.safeParse({ messages }, { error: describeIssue })
  return (checked.error?.issues ?? []).map((issue) => {
    const path = pathOf(issue.path)
    if (issue.code === 'too_big' && issue.origin === 'string') {
      const limit = Number(issue.maximum)
      return { path, code: 'too_long', limit, message: textAdvice.too_long(limit) }
    }
    const message = adviceOn[issue.code] ?? {
      'zh-TW': '代入變數後，這裡的內容不符合規定。請更正變數。',
      en: `Invalid once the variables are filled in: ${issue.message}. Correct the variables.`,
    }
    return { path, code: 'invalid', message }
  })
}

/** What variables can make of a text: nothing, or of a link. */
const adviceOn: Partial<Record<string, LocalisedText>> = {
  too_small: {
    'zh-TW': '代入變數後，這裡沒有文字。請更正變數，或替這個變數設定預設值。',
    en: 'With the variables filled in, this text is empty. Correct the variables, or give them a default.',
  },
  invalid_format: {
    'zh-TW': '代入變數後，這裡不是有效的網址。請更正變數。',
    en: 'With the variables filled in, this is not a valid URL. Correct the variables.',
  },
}

import { z } from 'zod'
import { ServiceError } from '../../contract/errors.ts'
import { inWords } from '../../contract/in-words.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import { CanonicalMessage } from '../../contract/messages/content.ts'
import type { TemplateVariable } from '../../contract/templates/template.ts'
import type { MessageRequest } from '../../db/queries/message/content.ts'
import type { Violation } from '../../domain/audience.ts'
import { render, type TemplateText } from '../../domain/render.ts'
import { pathOf } from '../invalid.ts'

export type RenderedContent = {
  messages: CanonicalMessage[]
  subject: LocalisedText | null
  violations: Violation[]
}

/**
 * The canonical messages of a request: as they were written, or rendered from the template. What rendering broke (an
 * empty text, an address that is none) comes back as violations.
 * @throws ServiceError missing_variable, with details {variables}
 */
export function contentOf(
  request: MessageRequest,
  template: (TemplateText & { variables: TemplateVariable[] }) | null,
): RenderedContent {
  if (!template) return { messages: request.messages ?? [], subject: null, violations: [] }
  const { messages, subject, missing, violations } = render(
    template,
    template.variables,
    request.variables ?? {},
  )
  if (missing.length > 0)
    throw new ServiceError('missing_variable', `Give these variables: ${missing.join(', ')}.`, {
      variables: missing,
    })
  return { messages, subject, violations: [...violations, ...broken(messages)] }
}

const Messages = z.object({ messages: z.array(CanonicalMessage) })

function broken(messages: CanonicalMessage[]): Violation[] {
  const checked = Messages.safeParse({ messages }, { error: inWords })
  return (checked.error?.issues ?? []).map((issue) => ({
    path: pathOf(issue.path),
    code: 'invalid',
    message: {
      'zh-TW': `套用變數後內容不正確：${issue.message}`,
      en: `Not valid once the variables are filled in: ${issue.message}`,
    },
  }))
}

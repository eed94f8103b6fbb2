import type { Violation } from '../../domain/audience/audience.ts'
import { optionsOf } from '../../domain/scenario/question.ts'
import { contentOfTurn, type TurnToCompile } from '../content.ts'
import { refusedBy, type TurnContent } from '../turn.ts'
import { compileEmail } from './compile.ts'

/** Compiles what a turn says as one mail, which has no field for a text. */
export function compileMailTurn(turn: TurnToCompile): TurnContent<'email'> {
  const question = questionOf(turn)
  if (question && optionsOf(question.message).length === 0)
    return { ...refusedBy('email', [notAnswerable]), reason: 'not_answerable' }
  const { locales, violations } = compileEmail(contentOfTurn(turn))
  return violations.length > 0 ? refusedBy('email', violations) : locales[turn.locale].parts[0][0]
}

function questionOf({ content, lastNode }: TurnToCompile) {
  const node = content?.nodes.find(({ id }) => id === lastNode)
  return node?.kind === 'question' ? node : null
}

const notAnswerable: Violation = {
  path: 'messages[0]',
  code: 'not_answerable',
  message: {
    'zh-TW': '這個問題沒有選項，無法以電子郵件回答。請加上選項，或改用其他管道。',
    en: 'The question has no option, so it cannot be answered by mail. Give it options, or use another channel.',
  },
}

import { mayShowBelow } from '../../domain/scenario/question.ts'
import { contentOfTurn, type TurnToCompile } from '../content.ts'
import { refusedBy, type TurnContent } from '../turn.ts'
import { compileChat } from './compile.ts'

/** Compiles what a turn says, each node by itself: its buttons name the node. */
export function compileChatTurn(turn: TurnToCompile): TurnContent<'chat'> {
  const below = mayShowBelow(turn.content?.nodes.find(({ id }) => id === turn.lastNode))
  const compiled = turn.says.map(({ node, messages }) => {
    const quickReplies = node === turn.lastNode && below
    const origin = turn.runId === null ? { m: turn.id } : { s: turn.runId, m: node }
    return compileChat({ ...contentOfTurn(turn), messages, quickReplies }, origin)
  })
  const violations = compiled.flatMap((one) => one.violations)
  if (violations.length > 0) return refusedBy('chat', violations)
  return compiled.flatMap(({ locales }) => locales[turn.locale].parts.flat())
}

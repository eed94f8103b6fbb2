import type { ChatMessage } from '../../channels/chat/wire.ts'
import type { CompiledEmail } from '../../channels/email/wire.ts'
import type { Channel } from '../../contract/enums.ts'
import type { PendingTurn } from '../../db/queries/scenario/turn.ts'
import { optionsOf } from '../../domain/scenario/question.ts'
import { titleOf } from '../../domain/title.ts'
import type { ContentToCompile, Services } from '../context.ts'

/** What a turn sends on a channel, in the person's language. */
export type CompiledTurn = { chat: ChatMessage[]; email: CompiledEmail }

/** A question that waits longer than this has buttons in the chat: options below it are lost with the next message. */
const quickReplySeconds = 600

/**
 * Compiles what a turn says. Null if it cannot be said there: the channel cannot carry it, or a question could not be
 * answered by mail, which has no field for a text.
 */
export function compileTurn<C extends Channel>(
  { channels }: Pick<Services, 'channels'>,
  turn: PendingTurn,
  channel: C,
): CompiledTurn[C] | null {
  const compilers: { [Each in Channel]: () => CompiledTurn[Each] | null } = {
    chat: () => compileChatTurn(channels.chat, turn),
    email: () => compileMailTurn(channels.email, turn),
  }
  return compilers[channel]()
}

/** Each node by itself: its buttons name the node. */
function compileChatTurn(chat: Services['channels']['chat'], turn: PendingTurn): ChatMessage[] | null {
  if (!chat) return null
  const question = questionOf(turn)
  const compiled = turn.says.map(({ node, messages }) => {
    const quickReplies = node === turn.lastNode && (question?.timeoutSeconds ?? 0) <= quickReplySeconds
    return chat.compile({ ...contentOf(turn), messages, quickReplies }, { s: turn.runId, m: node })
  })
  if (compiled.some(({ violations }) => violations.length > 0)) return null
  return compiled.flatMap(({ locales }) => locales[turn.locale].parts.flat())
}

function compileMailTurn(email: Services['channels']['email'], turn: PendingTurn): CompiledEmail | null {
  const question = questionOf(turn)
  if (!email || (question && optionsOf(question.message).length === 0)) return null
  const { locales, violations } = email.compile(contentOf(turn), { m: turn.id })
  return violations.length > 0 ? null : locales[turn.locale].parts[0][0]
}

function questionOf({ content, lastNode }: PendingTurn) {
  const node = content.nodes.find(({ id }) => id === lastNode)
  return node?.kind === 'question' ? node : null
}

function contentOf({ says, unit, category }: PendingTurn): ContentToCompile {
  const messages = says.flatMap((saying) => saying.messages)
  return {
    ...{ messages, wave: 'only', unit },
    subject: titleOf(messages, null, category.name),
    categoryId: category.id,
    category: category.name,
    unsubscribe: category.layer !== 'mandatory',
  }
}

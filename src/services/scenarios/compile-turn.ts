import { z } from 'zod'
import type { ChatMessage } from '../../channels/chat/wire.ts'
import type { CompiledEmail } from '../../channels/email/wire.ts'
import type { Channel } from '../../contract/enums.ts'
import { CanonicalMessage } from '../../contract/messages/content.ts'
import type { PendingTurn, Speaking } from '../../db/queries/scenario/turn.ts'
import type { CarriersOf, Unsayable } from '../../domain/scenario/carriers.ts'
import { optionsOf } from '../../domain/scenario/question.ts'
import { titleOf } from '../../domain/title.ts'
import type { ContentToCompile, Services } from '../context.ts'

/** What a turn sends on a channel, in the person's language. */
export type CompiledTurn = { chat: ChatMessage[]; email: CompiledEmail }

/** A question that waits longer than this has buttons in the chat: options below it are lost with the next message. */
const quickReplySeconds = 600

/** What a turn says, and what its form depends on. */
type SpokenTurn = Speaking & Pick<PendingTurn, 'id' | 'runId' | 'lastNode' | 'says'>

const Sayable = z.array(CanonicalMessage)

/** Judges by which of these channels what is said at once can be carried, as the send of a turn does. */
export function carriersAmong(
  services: Pick<Services, 'channels'>,
  speaking: Speaking,
  plan: readonly Channel[],
): CarriersOf {
  const channels = plan.filter((name) => services.channels[name] !== undefined)
  return (says) => {
    if (!Sayable.safeParse(says.flatMap(({ messages }) => messages)).success) return 'content_violation'
    const turn = { ...speaking, says, id: '', runId: '', lastNode: says.at(-1)!.node }
    const faults = channels.map((name) => {
      const compiled = compileTurn(services, turn, name)
      return typeof compiled === 'string' ? compiled : null
    })
    const carriers = channels.filter((_, at) => faults[at] === null)
    return carriers.length > 0 ? carriers : (faults.at(-1) ?? [])
  }
}

/** Compiles what a turn says on a channel, or tells why it cannot be said there. */
export function compileTurn<C extends Channel>(
  { channels }: Pick<Services, 'channels'>,
  turn: SpokenTurn,
  channel: C,
): CompiledTurn[C] | Unsayable {
  const compilers: { [Each in Channel]: () => CompiledTurn[Each] | Unsayable } = {
    chat: () => compileChatTurn(channels.chat, turn),
    email: () => compileMailTurn(channels.email, turn),
  }
  return compilers[channel]()
}

/** Each node by itself: its buttons name the node. */
function compileChatTurn(chat: Services['channels']['chat'], turn: SpokenTurn): ChatMessage[] | Unsayable {
  if (!chat) return 'content_violation'
  const seconds = waitOf(turn)
  const compiled = turn.says.map(({ node, messages }) => {
    const quickReplies = node === turn.lastNode && seconds <= quickReplySeconds
    const origin = turn.runId === null ? { m: turn.id } : { s: turn.runId, m: node }
    return chat.compile({ ...contentOf(turn), messages, quickReplies }, origin)
  })
  if (compiled.some(({ violations }) => violations.length > 0)) return 'content_violation'
  return compiled.flatMap(({ locales }) => locales[turn.locale].parts.flat())
}

/** A mail has no field for a text. */
function compileMailTurn(email: Services['channels']['email'], turn: SpokenTurn): CompiledEmail | Unsayable {
  const question = questionOf(turn)
  if (question && optionsOf(question.message).length === 0) return 'not_answerable'
  if (!email) return 'content_violation'
  const { locales, violations } = email.compile(contentOf(turn), { m: turn.id })
  return violations.length > 0 ? 'content_violation' : locales[turn.locale].parts[0][0]
}

/** How long the person may take to answer, in seconds: who waits for a place may do so for long. */
function waitOf({ content, lastNode }: SpokenTurn): number {
  const node = content?.nodes.find(({ id }) => id === lastNode)
  if (node?.kind === 'register') return Number.POSITIVE_INFINITY
  return node?.kind === 'question' ? node.timeoutSeconds : 0
}

function questionOf({ content, lastNode }: SpokenTurn) {
  const node = content?.nodes.find(({ id }) => id === lastNode)
  return node?.kind === 'question' ? node : null
}

function contentOf({ says, unit, category }: SpokenTurn): ContentToCompile {
  const messages = says.flatMap((saying) => saying.messages)
  return {
    ...{ messages, wave: 'only', unit },
    subject: titleOf(messages, null, category.name),
    categoryId: category.id,
    category: category.name,
    unsubscribe: category.layer !== 'mandatory',
  }
}

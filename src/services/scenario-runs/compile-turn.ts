import type { ChatMessage } from '../../channels/chat/wire.ts'
import type { CompiledEmail } from '../../channels/email/wire.ts'
import { channels as allChannels, type Channel } from '../../contract/enums.ts'
import type { PendingTurn, TurnContext } from '../../db/queries/scenario-run/turn.ts'
import type { Violation } from '../../domain/audience/audience.ts'
import { titleOf } from '../../domain/content/title.ts'
import type {
  DeliverableChannels,
  TextFault,
  Undeliverable,
} from '../../domain/scenario/deliverable-channels.ts'
import { mayShowBelow, optionsOf } from '../../domain/scenario/question.ts'
import type { ChannelRegistry, ContentToCompile } from '../channel-registry.ts'
import { brokenBy } from '../messages/broken-by.ts'

/** What a turn sends on a channel, in the person's language. */
type CompiledTurn = { chat: ChatMessage[]; email: CompiledEmail }

/** What a turn says, and what its form depends on. */
type TurnToCompile = TurnContext & Pick<PendingTurn, 'id' | 'runId' | 'lastNode' | 'says'>

/** The channels of this installation. */
export function configured(channels: ChannelRegistry): Channel[] {
  return allChannels.filter((name) => channels[name] !== undefined)
}

/** Judges by which of these channels what is said at once can be carried, as the send of a turn does. */
export function channelsAmong(
  services: { channels: ChannelRegistry },
  speaking: TurnContext,
  plan: readonly Channel[],
): DeliverableChannels {
  const channels = plan.filter((name) => services.channels[name] !== undefined)
  return (says) => {
    const broken = brokenBy(says.flatMap(({ messages }) => messages))
    if (broken.length > 0) return { reason: 'content_violation', faults: broken }
    const turn = { ...speaking, says, id: '', runId: '', lastNode: says.at(-1)!.node }
    const compiled = channels.map((name) => compileTurn(services, turn, name))
    const carriers = channels.filter((_, at) => !isUndeliverable(compiled[at]!))
    const refused = compiled.filter(isUndeliverable)
    const last = refused.at(-1)
    if (carriers.length > 0 || !last) return carriers
    return { reason: last.reason, faults: refused.flatMap(({ faults }) => faults) }
  }
}

/** Whether a channel cannot say what was to be compiled for it. */
export function isUndeliverable(compiled: CompiledTurn[Channel] | Undeliverable): compiled is Undeliverable {
  return 'reason' in compiled
}

/** Compiles what a turn says on a channel, or tells why it cannot be said there. */
export function compileTurn<C extends Channel>(
  { channels }: { channels: ChannelRegistry },
  turn: TurnToCompile,
  channel: C,
): CompiledTurn[C] | Undeliverable {
  const compilers: { [Each in Channel]: () => CompiledTurn[Each] | Undeliverable } = {
    chat: () => compileChatTurn(channels.chat, turn),
    email: () => compileMailTurn(channels.email, turn),
  }
  return compilers[channel]()
}

/** Each node by itself: its buttons name the node. */
function compileChatTurn(chat: ChannelRegistry['chat'], turn: TurnToCompile): ChatMessage[] | Undeliverable {
  if (!chat) return notConfigured
  const below = mayShowBelow(turn.content?.nodes.find(({ id }) => id === turn.lastNode))
  const compiled = turn.says.map(({ node, messages }) => {
    const quickReplies = node === turn.lastNode && below
    const origin = turn.runId === null ? { m: turn.id } : { s: turn.runId, m: node }
    return chat.compile({ ...contentOf(turn), messages, quickReplies }, origin)
  })
  const violations = compiled.flatMap((one) => one.violations)
  if (violations.length > 0) return refusedBy('chat', violations)
  return compiled.flatMap(({ locales }) => locales[turn.locale].parts.flat())
}

/** A mail has no field for a text. */
function compileMailTurn(
  email: ChannelRegistry['email'],
  turn: TurnToCompile,
): CompiledEmail | Undeliverable {
  const question = questionOf(turn)
  if (question && optionsOf(question.message).length === 0)
    return { ...refusedBy('email', [notAnswerable]), reason: 'not_answerable' }
  if (!email) return notConfigured
  const { locales, violations } = email.compile(contentOf(turn), { m: turn.id })
  return violations.length > 0 ? refusedBy('email', violations) : locales[turn.locale].parts[0][0]
}

const notConfigured: Undeliverable = { reason: 'content_violation', faults: [] }

function refusedBy(channel: Channel, violations: Violation[]): Undeliverable {
  return { reason: 'content_violation', faults: violations.map((one): TextFault => ({ ...one, channel })) }
}

const notAnswerable: Violation = {
  path: 'messages[0]',
  code: 'not_answerable',
  message: {
    'zh-TW': '這個問題沒有選項，無法以電子郵件回答。請加上選項，或改用其他管道。',
    en: 'The question has no option, so it cannot be answered by mail. Give it options, or use another channel.',
  },
}

function questionOf({ content, lastNode }: TurnToCompile) {
  const node = content?.nodes.find(({ id }) => id === lastNode)
  return node?.kind === 'question' ? node : null
}

function contentOf({ says, unit, category }: TurnToCompile): ContentToCompile {
  const messages = says.flatMap((saying) => saying.messages)
  return {
    messages,
    wave: 'only',
    unit,
    subject: titleOf(messages, null, category.name),
    categoryId: category.id,
    category: category.name,
    unsubscribe: category.layer !== 'mandatory',
  }
}

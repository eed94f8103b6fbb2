import type { Locale } from '../../contract/enums.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import { localise } from '../../domain/content/localise.ts'
import type { ContentWave } from '../../domain/content/reminder-time.ts'
import type { ChatSender, SendingUnit } from '../../domain/content/sending-unit.ts'
import type { Compiled, TrackLink } from '../channel.ts'
import type { CalendarOffer } from '../content.ts'
import { withCalendar } from './calendar.ts'
import type { CompileContext } from './compile-context.ts'
import { chatLimits } from './limits.ts'
import { compileMessage } from './message.ts'
import { asReminder, withDoNotRemind } from './reminder.ts'
import { type Origin, tap } from './taps.ts'
import { newViolations } from './violations.ts'
import type { ChatMessage } from './wire.ts'

/**
 * The input of the compiler: the producer's messages, and the wave that sends them; the sender, if it is not the account
 * itself.
 */
type ChatContent = {
  messages: CanonicalMessage[]
  wave: ContentWave
  unit?: Pick<SendingUnit, 'sender'>
  /** An entry for the recipients' calendars. */
  calendar?: CalendarOffer
  /** Whether options may be shown below the chat, where the next message hides them. Omitted: yes. */
  quickReplies?: boolean
  /** Below this address are the installation's own pictures. */
  pictures?: string
  /** Links lead where this says. Omitted: straight to their URL. */
  trackLink?: TrackLink
}

/**
 * Compiles a content to the provider's messages, in both locales; `en` falls back to zh-TW. Pure: the same input gives
 * the same JSON, byte for byte. Content beyond the provider's limits is a violation with a path into the producer's
 * messages. `origin`: the message that the taps belong to.
 */
export function compileChat(content: ChatContent, origin: Origin): Compiled<'chat'> {
  const violations = newViolations()
  const { trackLink, pictures } = content
  const inLocale = (locale: Locale) => ({
    parts: calls(compileLocale({ locale, violations, trackLink, pictures }, content, origin)),
  })
  const locales = { 'zh-TW': inLocale('zh-TW'), en: inLocale('en') }
  return { locales, violations: violations.list() }
}

function compileLocale(
  context: CompileContext,
  { messages, wave, unit, calendar, quickReplies = true }: ChatContent,
  origin: Origin,
) {
  const waveMessages = wave === 'reminder' ? asReminder(messages) : messages
  const blocks = waveMessages.map((message, n) => {
    const last = quickReplies && n === messages.length - 1
    return compileMessage(context, { path: `messages[${n}]`, last, tapOf: (o) => tap(origin, n, o) }, message)
  })
  const compiled = calendar ? withCalendar(context.locale, blocks, calendar) : blocks
  const sent = typeof wave === 'string' ? compiled : withDoNotRemind(context.locale, compiled, wave, origin)
  const sender = unit?.sender && senderIn(context.locale, unit.sender)
  return sender ? sent.map((message) => ({ ...message, sender })) : sent
}

/** The sender of every message, in this language. */
export function senderIn(locale: Locale, { name, iconUrl }: ChatSender): NonNullable<ChatMessage['sender']> {
  return { name: localise(locale, name), ...(iconUrl !== null && { iconUrl }) }
}

function calls(messages: ChatMessage[]): ChatMessage[][] {
  const size = chatLimits.messagesPerCall
  return Array.from({ length: Math.ceil(messages.length / size) }, (_, part) =>
    messages.slice(part * size, (part + 1) * size),
  )
}

import type { Locale } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import { type ReminderTime, spokenTime } from '../../domain/content/reminder-time.ts'
import { flexMessage, quietBubble } from './flex.ts'
import { chatLimits } from './limits.ts'
import { doNotRemindTap, type Origin } from './taps.ts'
import type { ChatMessage, TapAction } from './wire.ts'

const words: Record<
  Locale,
  { text: (moment: string) => string; label: string; option: (day: string) => string }
> = {
  'zh-TW': {
    text: (moment) => `我們會在 ${moment}再提醒您一次。`,
    label: '不用再提醒我',
    option: (day) => `${day} 不用提醒我`,
  },
  en: {
    text: (moment) => `We will remind you on ${moment}.`,
    label: 'Do not remind me',
    option: (day) => `Skip ${day} reminder`,
  },
}

const reminderLine: Record<Locale, string> = { 'zh-TW': '提醒', en: 'Reminder' }

/**
 * The messages of a reminder: the first that has words begins with a line that says what it is, as the subject of its mail
 * does. One that has no room for it stays as it is.
 */
export function asReminder(messages: readonly CanonicalMessage[]): CanonicalMessage[] {
  const at = messages.findIndex(({ kind }) => kind !== 'image' && kind !== 'sticker')
  return messages.map((message, index) => (index === at ? withReminderLine(message) : message))
}

function withReminderLine(message: CanonicalMessage): CanonicalMessage {
  switch (message.kind) {
    case 'text':
    case 'buttons':
    case 'quickReply':
      return { ...message, text: below(message.text) }
    case 'card':
      return { ...message, header: above(message.header) }
    case 'carousel': {
      const [first, ...others] = message.cards
      return first ? { ...message, cards: [{ ...first, header: above(first.header) }, ...others] } : message
    }
    default:
      return message
  }
}

function below(text: LocalisedText): LocalisedText {
  const lined = (locale: Locale, words: string) => `${reminderLine[locale]}\n${words}`
  const fits = Object.values(text).every((words) => lined('en', words).length <= chatLimits.textUnits)
  if (!fits) return text
  return {
    'zh-TW': lined('zh-TW', text['zh-TW']),
    ...(text.en !== undefined && { en: lined('en', text.en) }),
  }
}

/** The line over the title of a card. */
function above(header: LocalisedText | undefined): LocalisedText {
  if (header === undefined) return reminderLine
  const lined = (locale: Locale, words: string) => `${reminderLine[locale]}｜${words}`
  return {
    'zh-TW': lined('zh-TW', header['zh-TW']),
    ...(header.en !== undefined && { en: lined('en', header.en) }),
  }
}

/**
 * The messages with a way to decline the reminder (docs/design/channels.md): one more option below the last
 * message where that has room for it and a bubble would cost more; otherwise a bubble, which is never the first message
 * of a call, since lock screens show that one.
 */
export function withDoNotRemind(
  locale: Locale,
  messages: ChatMessage[],
  time: ReminderTime,
  origin: Origin,
): ChatMessage[] {
  const others = messages.slice(0, -1)
  const { quickReply, ...last } = messages.at(-1)!
  const items = quickReply?.items ?? []
  const full = items.length === chatLimits.quickReplyItems
  if (quickReply ? !full : beginsCall(messages)) {
    const label = words[locale].option(spokenTime(locale, time).day)
    const option = { type: 'action', action: tapOf(label, origin) } as const
    return [...others, { ...last, quickReply: { items: [...items, option] } }]
  }
  const bubble = doNotRemindBubble(locale, time, origin)
  if (!quickReply) return [...messages, bubble]
  // The options are shown below the last message of all, whichever it is.
  return beginsCall(others)
    ? [...others, last, { ...bubble, quickReply }]
    : [...others, bubble, { ...last, quickReply }]
}

/** Whether a message behind these would be the first of a call. */
function beginsCall(before: ChatMessage[]): boolean {
  return before.length % chatLimits.messagesPerCall === 0
}

function doNotRemindBubble(locale: Locale, time: ReminderTime, origin: Origin): ChatMessage {
  const { text, label } = words[locale]
  const line = text(spokenTime(locale, time).moment)
  return flexMessage([line], quietBubble(line, [tapOf(label, origin)]))
}

function tapOf(label: string, origin: Origin): TapAction {
  return { type: 'postback', label, data: JSON.stringify(doNotRemindTap(origin)), displayText: label }
}

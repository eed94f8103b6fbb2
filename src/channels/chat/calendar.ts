import type { Locale } from '../../contract/enums.ts'
import { calendarLabels, calendarLines } from '../../domain/content/calendar.ts'
import type { CalendarOffer } from '../content.ts'
import { flexMessage, quietBubble } from './flex.ts'
import type { ChatMessage } from './wire.ts'

/** The provider's parameter by which a link opens in the browser of the phone: its own knows no calendar. */
const inBrowser = '?openExternalBrowser=1'

/**
 * The messages with one more that offers a calendar entry: behind them, or before the last one where options are shown
 * below that.
 */
export function withCalendar(
  locale: Locale,
  messages: ChatMessage[],
  { entry, timeZone, urls }: CalendarOffer,
): ChatMessage[] {
  const lines = calendarLines(locale, entry, timeZone)
  const label = calendarLabels.add[locale]
  const action = { type: 'uri', label, uri: `${urls[locale]}${inBrowser}` } as const
  const bubble = flexMessage(lines, quietBubble(lines.join('\n'), [action]))
  const last = messages.at(-1)
  return last?.quickReply ? [...messages.slice(0, -1), bubble, last] : [...messages, bubble]
}

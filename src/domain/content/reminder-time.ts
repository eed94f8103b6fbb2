import type { Locale } from '../../contract/enums.ts'

/** When a message reminds its recipients, and the IANA time zone in which the time is written: their unit's. */
export type ReminderTime = { at: Date; timeZone: string }

/**
 * The wave that a content is compiled for: `only`, of a message without a reminder; the first, which announces its
 * reminder; or `reminder`, the last that recipients get of the message.
 */
export type ContentWave = 'only' | ReminderTime | 'reminder'

/** The time in words: `day` is short enough for a button. `moment` stands within a sentence. `time`: the clock alone. */
type WordedTime = { day: string; moment: string; time: string }

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const weekdays: Record<string, string> = {
  Sun: '日',
  Mon: '一',
  Tue: '二',
  Wed: '三',
  Thu: '四',
  Fri: '五',
  Sat: '六',
}

/**
 * Day and time of a reminder in the reader's language. Only numbers and the weekday come from Intl, so that another
 * version of Node compiles the same content to the same bytes.
 */
export function spokenTime(locale: Locale, { at, timeZone }: ReminderTime): WordedTime {
  const { month, day, weekday, hour, minute } = partsOf(at, timeZone)
  const time = `${hour}:${minute}`
  if (locale === 'en') {
    const date = `${months[Number(month) - 1]} ${day}`
    return { day: date, moment: `${weekday}, ${date}, at ${time}`, time }
  }
  return { day: `${month}/${day}`, moment: `${month} 月 ${day} 日（${weekdays[weekday!]}）${time} `, time }
}

function partsOf(at: Date, timeZone: string): Record<string, string> {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    month: 'numeric',
    day: 'numeric',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
}

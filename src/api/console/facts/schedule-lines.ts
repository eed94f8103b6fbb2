import type { Locale } from '../../../contract/enums.ts'
import type { Schedule } from '../../../contract/schedules/schedule.ts'
import { type Regularity, regularityOf } from '../../../domain/schedule/regularity.ts'
import { dateOf, shortDateOf, zoneName } from '../kit/format.ts'
import { timeText } from './scenario-lines.ts'

const chinese = {
  when: (name: string, times: string) => `排程「${name}」：${times}`,
  recurs: {
    day: (_days, times) => `每天 ${times}`,
    week: (days, times) => `每週${days} ${times}`,
    month: (days, times) => `每月${days} ${times}`,
  } satisfies Record<Regularity['every'], (days: string, times: string) => string>,
  weekdays: ['日', '一', '二', '三', '四', '五', '六'],
  /** A day of the month; `last`: the last one. */
  day: (day: string) => ` ${day} 日`,
  last: '最後一天',
  list: (parts: string[]) => parts.join('、'),
  cron: (expression: string) => `依 cron 運算式 ${expression}`,
  zone: (regularity: string, zone: string) => `${regularity}（${zone}）`,
  once: (moment: string) => `一次，${moment}`,
  delay: (time: string) => `一次，建立或啟用後 ${time}`,
  next: (moments: string) => `接下來：${moments}`,
  disabled: '這個排程目前停用，不會再產生訊息。',
  finished: '這個排程只執行一次，不會再產生訊息。',
  deleted: '這則訊息由排程產生。該排程已刪除，不會再產生訊息。',
  /** A decision is about one message; those of other occurrences have their own. */
  onlyThis: '您的決定只適用於這一則；之後產生的訊息會另外審核。',
  actsFor: (name: string) => `以「${name}」的權限產生`,
  off: (line: string) => `${line}（已停用）`,
}

/** Texts about schedules on the pages of approvals. */
const scheduleWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    when: (name, times) => `Schedule “${name}”: ${times}`,
    recurs: {
      day: (_days, times) => `every day at ${times}`,
      week: (days, times) => `every ${days} at ${times}`,
      month: (days, times) => `on ${days} of each month at ${times}`,
    },
    weekdays: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
    day: (day) => `day ${day}`,
    last: 'the last day',
    list: (parts) => new Intl.ListFormat('en').format(parts),
    cron: (expression) => `by the cron expression ${expression}`,
    zone: (regularity, zone) => `${regularity} (${zone})`,
    once: (moment) => `once, on ${moment}`,
    delay: (time) => `once, ${time} after it was created or enabled`,
    next: (moments) => `Next: ${moments}`,
    disabled: 'The schedule is disabled and creates no more messages.',
    finished: 'The schedule ran once and creates no more messages.',
    deleted: 'This message was created by a schedule that has since been deleted.',
    onlyThis: 'Your decision applies to this message only; later ones are reviewed separately.',
    actsFor: (name) => `Uses the rights of ${name}`,
    off: (line) => `${line} (disabled)`,
  },
}

/** Which schedule made a message, when it recurs, and what it makes next; null: it was deleted. */
export function scheduleLines(locale: Locale, timeZone: string, schedule: Schedule | null): string[] {
  const words = scheduleWords[locale]
  if (schedule === null) return [words.deleted]
  const { name, state, nextTimes, actsFor } = schedule
  const what = words.when(name, timesOf(locale, timeZone, schedule))
  const zone = schedule.timeZone ?? timeZone
  const coming = words.next(words.list(nextTimes.map((at) => shortDateOf(locale, zone, at))))
  const rest = state === 'active' ? [coming, words.onlyThis] : [words[state]]
  return [what, ...rest, words.actsFor(actsFor.name)]
}

/** A schedule that starts a scenario, and when. */
export function startLine(locale: Locale, timeZone: string, schedule: Schedule): string {
  const { when, off } = scheduleWords[locale]
  const line = when(schedule.name, timesOf(locale, timeZone, schedule))
  return schedule.enabled ? line : off(line)
}

/** When a schedule is due, in the zone of the unit unless it has its own. */
function timesOf(
  locale: Locale,
  timeZone: string,
  { at, delaySeconds, cron, ...schedule }: Schedule,
): string {
  const words = scheduleWords[locale]
  if (at !== null) return words.once(dateOf(locale, timeZone, at))
  if (delaySeconds !== null) return words.delay(timeText(locale, delaySeconds))
  const zone = schedule.timeZone ?? timeZone
  return words.zone(recurrenceOf(locale, cron!), zoneName(locale, zone, schedule.updatedAt))
}

function recurrenceOf(locale: Locale, cron: string): string {
  const { recurs, weekdays, day, last, list, cron: verbatim } = scheduleWords[locale]
  const regularity = regularityOf(cron)
  if (regularity === null) return verbatim(cron)
  const times = list(regularity.times)
  switch (regularity.every) {
    case 'day':
      return recurs.day('', times)
    case 'week':
      return recurs.week(list(regularity.days.map((one) => weekdays[one]!)), times)
    case 'month':
      return recurs.month(list(regularity.days.map((one) => (one === 'L' ? last : day(String(one))))), times)
  }
}

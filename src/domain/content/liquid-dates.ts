import type { Context, Liquid } from 'liquidjs'
import { TemplateFault } from './template-fault.ts'

type DateFilter = (this: { context: Context }, value: unknown, format?: unknown, zone?: unknown) => unknown

/**
 * The filter `date` by the clocks of the reader: a moment that brings none of its own, in UTC or as seconds since 1970, is
 * shown by those of the unit (`timezoneOffset` of the context), as reminders and calendars are; one with another offset,
 * or without any, by the clock that it names. A zone that the author gives wins.
 */
export function readDatesByUnit(engine: Liquid): void {
  const date = engine.filters.date as DateFilter
  const byUnit: DateFilter = function (value, format, zone) {
    // No clock: the same variables must give the same text.
    if (value === 'now' || value === 'today') throw withoutClock
    if (isSeconds(value)) assertPlausible(Number(value))
    const timeZone = zone ?? (isUtc(value) ? this.context.opts.timezoneOffset : undefined)
    return date.call(this, value, format, timeZone)
  }
  engine.registerFilter('date', byUnit)
  for (const name of Object.keys(engine.filters)) if (name.startsWith('date_')) engine.unregisterFilter(name)
}

const withoutClock = new TemplateFault({
  'zh-TW': 'date 過濾器必須使用變數，範本不能讀取目前的時間',
  en: 'the date filter needs a variable: the current time is not available',
})

/** As Liquid reads a number, and a text of digits. */
function isSeconds(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))
}

/** A moment of RFC 3339 or RFC 5322 in UTC; a day alone is the same one everywhere. */
function isUtc(value: unknown): boolean {
  return typeof value === 'string' && /\d:\d\d.*(?:Z|[+-]00:?00|GMT|UTC?)$/i.test(value.trim())
}

/** From March 1973 to 2099: neither a day as digits (20261205) nor milliseconds are in it. */
const plausible = { from: 100_000_000, before: Date.UTC(2100, 0) / 1_000 }

function assertPlausible(seconds: number): void {
  if (seconds >= plausible.from && seconds < plausible.before) return
  throw new TemplateFault({
    'zh-TW': `date 過濾器無法把 ${seconds} 當作時間：數字是 1970 年起的秒數。請改用「2026-12-05T10:00:00+08:00」的格式`,
    en: `the date filter cannot read ${seconds} as a moment: a number is in seconds since 1970. Use a text such as 2026-12-05T10:00:00+08:00`,
  })
}

import type { PaceForecast, Violation } from '../audience/audience.ts'
import { type QuietPeriod, quietHoursEnd } from './quiet-hours.ts'

/** How fast a send goes: so many deliveries a minute, or all of them spread over so many seconds. */
export type Pace = { perMinute: number } | { overSeconds: number }

/** Seconds from one delivery of a send to the next. */
export function secondsEach(pace: Pace, deliveries: number): number {
  return 'perMinute' in pace ? 60 / pace.perMinute : pace.overSeconds / Math.max(deliveries, 1)
}

/** The forecast of a send that begins at `start` (ms); it rests in the quiet hours of its category. */
export function paceForecast(
  pace: Pace,
  { deliveries, start, quiet }: { deliveries: number; start: number; quiet: QuietPeriod | null },
): PaceForecast {
  const each = secondsEach(pace, deliveries)
  const last = afterQuietHours(start, Math.max(deliveries - 1, 0) * each * 1_000, quiet)
  return { perMinute: Math.ceil(60 / each), lastAt: new Date(last).toISOString() }
}

/** The moment at which `ms` of a send have passed that begins at `start`, if quiet hours do not count. */
function afterQuietHours(start: number, ms: number, quiet: QuietPeriod | null): number {
  if (!quiet) return start + ms
  let [at, left] = [quietHoursEnd(quiet, start) ?? start, ms]
  for (;;) {
    const until = openHoursEnd(quiet, at)
    if (until === null || left <= until - at) return at + left
    left -= until - at
    at = quietHoursEnd(quiet, until) ?? until
  }
}

/** When the next quiet hours begin; null if there are none. */
function openHoursEnd({ hours: { from, to }, timeZone }: QuietPeriod, now: number): number | null {
  return from === to ? null : quietHoursEnd({ hours: { from: to, to: from }, timeZone }, now)
}

/** What a dry-run says of a pace that is too slow for the other times of its message. */
export function paceWarnings(
  { lastAt }: PaceForecast,
  { expiresAt, remindAt }: { expiresAt: number | null; remindAt: number | null },
): Violation[] {
  const last = Date.parse(lastAt)
  const violations: Violation[] = []
  if (expiresAt !== null && last >= expiresAt) violations.push(pastExpiry)
  if (remindAt !== null && last >= remindAt) violations.push(pastReminder)
  return violations
}

/** Findings without these, which each count of people makes again. */
export function withoutPace(findings: readonly Violation[]): Violation[] {
  return findings.filter(({ code }) => code !== pastExpiry.code && code !== pastReminder.code)
}

const pastExpiry: Violation = {
  path: 'pace',
  code: 'pace_past_expiry',
  message: {
    'zh-TW': '照這個速度，訊息失效時還有人沒收到。請加快速度，或把失效時間往後移。',
    en: 'At this pace the message expires before everybody has been sent to. Choose a faster pace, or a later expiresAt.',
  },
}

const pastReminder: Violation = {
  path: 'pace',
  code: 'pace_past_reminder',
  message: {
    'zh-TW': '照這個速度，提醒的時間到了還在發送；提醒會等第一次發送結束才開始。',
    en: 'At this pace the message is still being sent when its reminder is due. The reminder waits for the end of the send.',
  },
}

import { type Broken, broken } from '../../contract/rules.ts'

/** The instants of a message, in ms since the epoch; null if not set. */
export type Times = { scheduleAt: number | null; expiresAt: number | null; remindAt: number | null }

type TimeIssue = {
  code: 'validation_error' | 'remind_before_send' | 'remind_after_expiry'
  path: 'expiresAt' | 'remindAt'
} & Broken

/** The earliest time of the send; a `scheduleAt` in the past means at approval. */
export function sendTime({ scheduleAt }: Pick<Times, 'scheduleAt'>, now: number): number {
  return Math.max(scheduleAt ?? now, now)
}

/** When the first wave is due, by schedule and hold (ms since the epoch, as both are); null: immediately. */
export function firstWaveDue({
  scheduleAt,
  holdUntil,
}: Pick<Times, 'scheduleAt'> & { holdUntil: number | null }): number | null {
  if (scheduleAt === null || holdUntil === null) return scheduleAt ?? holdUntil
  return Math.max(scheduleAt, holdUntil)
}

/**
 * Until when a category of `seconds` holds a message that a person approves at `now` (ms); null: not at all, also if it
 * would expire meanwhile.
 */
export function holdEnd(
  seconds: number,
  { expiresAt }: Pick<Times, 'expiresAt'>,
  now: number,
): number | null {
  const end = now + seconds * 1_000
  return seconds > 0 && (expiresAt === null || end < expiresAt) ? end : null
}

/**
 * The first issue of the instants at `now`, or null (docs/design/content-and-drafts.md). Equal instants are invalid.
 */
export function checkTimes(times: Times, now: number): TimeIssue | null {
  const { scheduleAt, expiresAt, remindAt } = times
  if (expiresAt !== null && expiresAt <= now)
    return { code: 'validation_error', path: 'expiresAt', ...broken('in_the_past') }
  if (expiresAt !== null && scheduleAt !== null && expiresAt <= scheduleAt)
    return { code: 'validation_error', path: 'expiresAt', ...broken('not_after', { than: 'scheduleAt' }) }
  if (remindAt !== null && remindAt <= sendTime(times, now))
    return { code: 'remind_before_send', path: 'remindAt', ...broken('not_after', { than: 'sendTime' }) }
  if (remindAt !== null && expiresAt !== null && remindAt >= expiresAt)
    return { code: 'remind_after_expiry', path: 'remindAt', ...broken('not_before', { than: 'expiresAt' }) }
  return null
}

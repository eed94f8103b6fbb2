/** The instants of a message, in ms since the epoch; null if not set. */
export type Times = { scheduleAt: number | null; expiresAt: number | null; remindAt: number | null }

export type TimeIssue = {
  code: 'validation_error' | 'remind_before_send' | 'remind_after_expiry'
  path: 'expiresAt' | 'remindAt'
  message: string
}

/** The earliest time of the send; a `scheduleAt` in the past means at approval. */
export function sendTime({ scheduleAt }: Pick<Times, 'scheduleAt'>, now: number): number {
  return Math.max(scheduleAt ?? now, now)
}

/** The first issue of the instants at `now`, or null (docs/decisions/0030-drafts.md). Equal instants are invalid. */
export function checkTimes(times: Times, now: number): TimeIssue | null {
  const { scheduleAt, expiresAt, remindAt } = times
  if (expiresAt !== null && expiresAt <= now)
    return { code: 'validation_error', path: 'expiresAt', message: 'must be in the future' }
  if (expiresAt !== null && scheduleAt !== null && expiresAt <= scheduleAt)
    return { code: 'validation_error', path: 'expiresAt', message: 'must be later than scheduleAt' }
  if (remindAt !== null && remindAt <= sendTime(times, now))
    return { code: 'remind_before_send', path: 'remindAt', message: 'must be later than the send time' }
  if (remindAt !== null && expiresAt !== null && remindAt >= expiresAt)
    return { code: 'remind_after_expiry', path: 'remindAt', message: 'must be earlier than expiresAt' }
  return null
}

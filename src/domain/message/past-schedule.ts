import type { Violation } from '../audience/audience.ts'

/** A time further in the past than this is a slip, such as another year; a nearer one may have passed on the way. */
const slipMs = 24 * 60 * 60 * 1_000

/**
 * What a dry-run at `now` (ms) says of a draft whose `scheduleAt` has passed: it would be sent once it is approved. More
 * than a day ago is a violation.
 */
export function checkSchedule(
  scheduleAt: number | null,
  now: number,
): { violations: Violation[]; warnings: Violation[] } {
  if (scheduleAt === null || scheduleAt >= now) return { violations: [], warnings: [] }
  const isSlip = now - scheduleAt > slipMs
  return isSlip ? { violations: [violation], warnings: [] } : { violations: [], warnings: [warning] }
}

const at = { path: 'scheduleAt', code: 'schedule_past' } as const

const violation: Violation = {
  ...at,
  message: {
    'zh-TW': '預定的發送時間已過去超過一天。請改成之後的時間；要核准後立刻發送，請清除這個時間。',
    en: 'The scheduled time was more than a day ago. Choose a later one, or remove it to send once it is approved.',
  },
}

const warning: Violation = {
  ...at,
  message: {
    'zh-TW': '預定的發送時間已經過了，核准後會立刻發送。',
    en: 'The scheduled time has passed: the message is sent as soon as it is approved.',
  },
}

import type { Violation } from '../audience/audience.ts'
import { sendTime } from './times.ts'

/** A message to nobody that is due within this time cannot be submitted; before, people may still be added. */
const soonMs = 24 * 60 * 60 * 1_000

const code = 'nobody'

/**
 * What a dry-run at `now` (ms) says of a message that nobody would receive: a violation if it is due within a day,
 * otherwise a warning.
 */
export function checkRecipientCount(
  { total, scheduleAt }: { total: number; scheduleAt: number | null },
  now: number,
): { violations: Violation[]; warnings: Violation[] } {
  if (total > 0) return { violations: [], warnings: [] }
  const soon = sendTime({ scheduleAt }, now) - now <= soonMs
  return soon ? { violations: [violation], warnings: [] } : { violations: [], warnings: [warning] }
}

const violation: Violation = {
  path: 'audience',
  code,
  message: {
    'zh-TW': '沒有人會收到這則訊息。請更改收件對象，或確認收件人是否已有聯絡方式並同意接收。',
    en:
      'This message has no recipients. Change its audience, or see in recipients why the people it names ' +
      'are excluded.',
  },
}

const warning: Violation = {
  path: 'audience',
  code,
  message: {
    'zh-TW': '目前沒有人會收到這則訊息。到了發送時間如果仍然沒有收件人，訊息會退回審核。',
    en: 'This message has no recipients so far. If it still has none at the time of the send, it returns to review.',
  },
}

/** Whether nobody would receive it, by these findings. */
export function hasNoRecipients(findings: readonly Violation[]): boolean {
  return findings.some((one) => one.code === code)
}

/** Findings without that one, which each count of people makes again. */
export function withoutRecipientCount(findings: readonly Violation[]): Violation[] {
  return findings.filter((one) => one.code !== code)
}

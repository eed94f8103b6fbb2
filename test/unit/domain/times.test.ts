import { describe, expect, it } from 'vitest'
import { checkTimes, type Times } from '../../../src/domain/message/times.ts'

const now = 1_000
const check = (times: Partial<Times>) => {
  const issue = checkTimes({ scheduleAt: null, expiresAt: null, remindAt: null, ...times }, now)
  return issue && `${issue.code} ${issue.path}`
}

describe('the times of a message', () => {
  it.each([
    ['none at all', {}],
    ['a schedule that has passed: the message is then sent at approval', { scheduleAt: 1 }],
    ['schedule, reminder and expiry in this order', { scheduleAt: 2_000, remindAt: 3_000, expiresAt: 4_000 }],
    ['a reminder without an expiry', { remindAt: 1_001 }],
  ])('may be %s', (_, times) => {
    expect(check(times)).toBeNull()
  })

  it.each([
    ['an expiry that has passed', { expiresAt: 1_000 }, 'validation_error expiresAt'],
    ['an expiry at the send time', { scheduleAt: 2_000, expiresAt: 2_000 }, 'validation_error expiresAt'],
    ['a reminder at the send time', { scheduleAt: 2_000, remindAt: 2_000 }, 'remind_before_send remindAt'],
    [
      'a reminder now, if the message is sent at approval',
      { remindAt: 1_000 },
      'remind_before_send remindAt',
    ],
    ['a past schedule and reminder', { scheduleAt: 1, remindAt: 500 }, 'remind_before_send remindAt'],
    ['a reminder at the expiry', { remindAt: 2_000, expiresAt: 2_000 }, 'remind_after_expiry remindAt'],
  ])('may not be %s', (_, times, issue) => {
    expect(check(times)).toBe(issue)
  })
})

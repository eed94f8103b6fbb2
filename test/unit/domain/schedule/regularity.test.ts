import { expect, it } from 'vitest'
import { regularityOf } from '../../../../src/domain/schedule/regularity.ts'

it.each([
  ['0 9 * * *', { every: 'day', times: ['09:00'] }],
  ['30 17,8 * * *', { every: 'day', times: ['08:30', '17:30'] }],
  ['0 9 * * 1', { every: 'week', times: ['09:00'], days: [1] }],
  ['5 9  * * MON,thu', { every: 'week', times: ['09:05'], days: [1, 4] }],
  ['0 9 * * mon-fri', { every: 'week', times: ['09:00'], days: [1, 2, 3, 4, 5] }],
  ['0 9 * * 6-7', { every: 'week', times: ['09:00'], days: [0, 6] }],
  ['0 9 15,1 * *', { every: 'month', times: ['09:00'], days: [1, 15] }],
  ['0 9 L * *', { every: 'month', times: ['09:00'], days: ['L'] }],
])('%s is regular', (cron, regularity) => {
  expect(regularityOf(cron)).toEqual(regularity)
})

it.each([
  ['*/30 9 * * *', 'steps'],
  ['0 * * * *', 'every hour'],
  ['0,10,20,30,40,50 8,9 * * *', 'many times of a day'],
  ['0 9 * 3 *', 'one month'],
  ['0 9 1 * 1', 'either of two days'],
  ['0 9 * * 5L', 'the last Friday'],
  ['0 9 * * 1#2', 'the second Monday'],
  ['0 9 1,L * *', 'the last day beside others'],
])('%s is said by itself: %s', (cron) => {
  expect(regularityOf(cron)).toBeNull()
})

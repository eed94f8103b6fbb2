import { expect, it } from 'vitest'
import { createAfterEarlier } from '../../../src/activities/earlier-attempts.ts'

const attempt = { runId: 'run', activityId: '1', attempt: 1, heartbeat: () => {} }

it('begins once the earlier attempts under the same name have ended, however they ended', async () => {
  const afterEarlier = createAfterEarlier()
  const order: string[] = []
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  const begin = (name: string, until?: Promise<void>) =>
    afterEarlier(attempt, 'wave', async () => {
      order.push(name)
      await until
    })
  const one = begin('first', first.promise)
  const two = begin('second', second.promise)
  const three = begin('third')
  await afterEarlier(attempt, 'another wave', async () => order.push('another wave'))
  expect(order).toEqual(['first', 'another wave'])

  first.reject(new Error('killed'))
  await expect(one).rejects.toThrow('killed')
  second.resolve()
  await two
  await three
  expect(order).toEqual(['first', 'another wave', 'second', 'third'])
})

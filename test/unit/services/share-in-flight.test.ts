import { expect, it, vi } from 'vitest'
import { singleFlight } from '../../../src/domain/lib/single-flight.ts'

it('all who ask while it runs share one run, and its failure; the next one runs anew', async () => {
  const { promise, reject } = Promise.withResolvers<string>()
  const work = vi.fn<() => Promise<string>>().mockReturnValueOnce(promise).mockResolvedValue('second')
  const shared = singleFlight(work)
  const answers = [shared(), shared()].map((one) => one.catch((error: Error) => error.message))
  reject(new Error('failed'))
  expect(await Promise.all(answers)).toEqual(['failed', 'failed'])
  expect(await shared()).toBe('second')
  expect(work).toHaveBeenCalledTimes(2)
})

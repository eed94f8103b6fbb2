import { expect, it } from 'vitest'
import { Carillon } from '../../../client/src/index.ts'
import { startApi } from '../../fixtures/api.ts'
import { connectLibrary } from '../../fixtures/library.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(() => startApi({ ratePerSecond: 2 }))
const library = forFile(() => connectLibrary(api))

it('more calls than the limit allows at once are all answered, also those that are not repeated otherwise', async () => {
  const { topics, key } = library.as({ key: api.keys.a })
  const { burst } = (await key.get()).limits
  expect(burst).toBe(20)
  const names = Array.from({ length: burst! + 2 }, (_, index) => ({ 'zh-TW': `主題 ${index}` }))
  const created = await Promise.all(names.map((name) => topics.create({ name })))
  expect(created.map(({ name }) => name)).toEqual(names)
})

it('who does not want to wait learns how long it would be', async () => {
  const { topics } = new Carillon({ baseUrl: library.baseUrl, key: api.keys.b, maxRetries: 0 })
  const calls = Array.from({ length: 40 }, () => topics.list())
  const failed = (await Promise.allSettled(calls)).find(({ status }) => status === 'rejected')
  expect(failed).toMatchObject({ reason: { code: 'rate_limited', status: 429, retryAfter: 1 } })
})

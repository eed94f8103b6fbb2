import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { forFile } from '../../harness/for-file.ts'

/** Longer than a sample of the event loop's delay (ms). */
const blockMs = 1_200
/** More blocks than it takes until load is shed. */
const blocks = 10

const api = forFile(startApi)

/** Keeps the event loop busy, as a costly request does; the sample's timer fires after it. */
async function block(): Promise<void> {
  const end = performance.now() + blockMs
  while (performance.now() < end);
  for (let n = 0; n < 3; n++) await nextTurn()
}

it('sheds load while the process stays overloaded, but not after one costly request', async () => {
  const statuses: number[] = []
  for (let n = 0; n < blocks && !statuses.includes(503); n++) {
    await block()
    // Without a key, so that nothing is waited for: a second of waiting would be a sample without load.
    statuses.push((await api.app.inject('/v1/messages')).statusCode)
  }
  expect(statuses).toEqual([401, 401, ...statuses.slice(2, -1).map(() => 401), 503])
  expect((await api.app.inject('/livez')).statusCode).toBe(200)
})

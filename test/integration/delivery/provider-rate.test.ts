import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { withRateLimit } from '../../../src/channels/chat/connect.ts'
import type { Db } from '../../../src/db/connect.ts'
import {
  createProviderRateLimiter,
  type ProviderRateLimiter,
} from '../../../src/services/outbound/provider-rate.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'
import { holdTransaction, waitForBlocked } from '../../harness/lock-waits.ts'

const database = forFile(freshDatabase)

const log = pino({ level: 'silent' })
const paceOf = (db: Db) => createProviderRateLimiter({ db, log })

const lanes = 4
const ms = 1_500

/** Takes as often as possible, on several lanes, for some time; returns the times (ms since `begun`). */
async function takeAll(pace: ProviderRateLimiter, rate: Parameters<ProviderRateLimiter['take']>[0]) {
  const begun = performance.now()
  const times: number[] = []
  const lane = async () => {
    while (performance.now() - begun < ms) if (await pace.take(rate)) times.push(performance.now() - begun)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return times
}

it('two processes together keep a rate in every window', async () => {
  const rate = { account: 'a', endpoint: 'multicast', perSecond: 200 }
  const [one, other] = await Promise.all([
    takeAll(paceOf(database.db), rate),
    takeAll(paceOf(database.db), rate),
  ])
  const all = [...one, ...other].sort((a, b) => a - b)
  expect(all.length).toBeGreaterThan(0)
  const share = 10
  for (const [index, at] of all.entries()) {
    const within = all.slice(index).filter((later) => later - at <= 500).length
    // Plus the shares that both held when the window began.
    expect(within).toBeLessThanOrEqual(200 * 0.5 + 3 * share)
  }
})

it('waiting for the rate of one endpoint delays no other endpoint and no other account', async () => {
  const pace = paceOf(database.db)
  const held = { account: 'b', endpoint: 'held', perSecond: 1_000 }
  await pace.take(held)
  const release = await holdTransaction(database.db, (trx) =>
    sql`select from provider_rate where endpoint = 'held' for update`.execute(trx),
  )
  const waiting = Promise.all(Array.from({ length: 100 }, () => pace.take(held)))
  await waitForBlocked(database.db)
  for (const other of [{ endpoint: 'quick' }, { account: 'c' }])
    for (let n = 0; n < 100; n++) expect(await pace.take({ ...held, ...other })).toBe(true)
  await release()
  expect(await waiting).toEqual(Array(100).fill(true))
})

it('a rate that cannot be leased lets nothing through, with a certain outcome', async () => {
  const gone = await freshDatabase()
  const pace = paceOf(gone.db)
  await gone.db.schema.dropTable('provider_rate').execute()
  let calls = 0
  const answer = async () => {
    calls += 1
    return { status: 200, headers: {}, body: {} }
  }
  const client = withRateLimit({ request: answer, close: async () => {} }, (endpoint, perSecond) =>
    pace.take({ account: 'c', endpoint, perSecond }),
  )
  const request = { method: 'POST' as const, path: '/v2/bot/message/push' }
  expect(await client.request(request)).toEqual({ silent: true, certain: true, code: 'aborted' })
  expect(calls).toBe(0)
  expect(await client.request({ method: 'GET', path: '/v2/bot/message/quota' })).toMatchObject({
    status: 200,
  })
  await gone.drop()
})

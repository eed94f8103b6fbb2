import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type Db } from '../../../src/db/connect.ts'
import { countRequest, deleteIdleCallers } from '../../../src/db/queries/rate/rate.ts'
import { type FrozenClock, freezeClock } from '../../harness/clock.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const windowMs = 60_000

let clock: FrozenClock
/** Two processes with separate pools. */
let processes: [Db, Db]
const database = forFile(freshDatabase)
beforeAll(async () => {
  clock = await freezeClock(database)
  processes = [connect(database.url), connect(database.url)]
})
afterAll(async () => {
  await Promise.all(processes.map((db) => db.destroy()))
  await clock.close()
})

/** The rule in its simplest form: every admitted request with caller and time. */
function referenceLog(most: number) {
  const admitted: { caller: string; at: number }[] = []
  return (caller: string, at: number) => {
    const live = admitted.filter((one) => one.caller === caller && one.at > at - windowMs)
    const yes = live.length < most
    if (yes) admitted.push({ caller, at })
    const remaining = most - live.length - (yes ? 1 : 0)
    const oldest = live[0]?.at ?? at
    const newest = yes ? at : (live.at(-1)?.at ?? at)
    return {
      admitted: yes,
      remaining,
      waitMs: remaining > 0 ? 0 : oldest + windowMs - at,
      resetMs: newest + windowMs - at,
    }
  }
}

const requests = fc.array(
  fc.record({
    caller: fc.constantFrom('key:a', 'key:b', 'address:127.0.0.1'),
    process: fc.nat(1),
    gapMs: fc.oneof(fc.nat(3_000), fc.constantFrom(0, 0, 29_999, 30_000, 59_999, 60_000, 60_001)),
  }),
  { minLength: 1, maxLength: 40 },
)

describe('the window of a caller', () => {
  it('decides as a log of all requests would', async () => {
    let now = Date.parse('2026-11-20T00:00:00Z')
    const check = async (most: number, log: { caller: string; process: number; gapMs: number }[]) => {
      await sql`truncate rate_window`.execute(database.db)
      const reference = referenceLog(most)
      for (const { caller, process, gapMs } of log) {
        now += gapMs
        await clock.set(now)
        expect(await countRequest(processes[process as 0 | 1], caller, most)).toEqual(reference(caller, now))
      }
    }
    await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 5 }), requests, check), { numRuns: 60 })
  })

  it('admits exactly as many simultaneous requests at two processes', async () => {
    const all = await Promise.all(
      Array.from({ length: 60 }, (_, n) => countRequest(processes[(n % 2) as 0 | 1], 'key:crowd', 20)),
    )
    expect(all.filter(({ admitted }) => admitted)).toHaveLength(20)
    expect(new Set(all.filter(({ admitted }) => admitted).map(({ remaining }) => remaining)).size).toBe(20)
  })

  it('is deleted once it is past, and not before', async () => {
    await sql`truncate rate_window`.execute(database.db)
    const now = Date.parse('2026-12-20T00:00:00Z')
    await clock.set(now)
    await countRequest(processes[0], 'key:a', 5)
    const left = async () => {
      await deleteIdleCallers(processes[0])
      return processes[0].selectFrom('rate_window').select('caller').execute()
    }
    await clock.set(now + windowMs)
    expect(await left()).toHaveLength(1)
    await clock.set(now + windowMs + 1)
    expect(await left()).toEqual([])
  })
})

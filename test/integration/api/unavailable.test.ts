import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { connect, type Db } from '../../../src/db/connect.ts'
import { type Api, startApi } from '../../fixtures/api.ts'
import { forFile } from '../../harness/for-file.ts'
import { holdTransaction } from '../../harness/lock-waits.ts'

const api = forFile(startApi)

/** The same installation through another handle on its database. */
async function through(db: Db, work: (call: Api['call'], app: Api['app']) => Promise<void>): Promise<void> {
  const other = await startApi({ services: { db } })
  try {
    await work(other.call, other.app)
  } finally {
    await db.destroy()
    await other.close()
  }
}

describe('a database without a free connection', () => {
  it('is answered 503 with Retry-After to two hundred callers at once, while others hold all connections', async () => {
    const small = connect(api.database.url, { poolSize: 2 })
    await through(small, async (call) => {
      const hold = () => holdTransaction(small, (trx) => sql`select`.execute(trx))
      const held = [await hold(), await hold()]
      const begun = performance.now()
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => call('listCategories', { key: api.keys.a })),
      )
      process.stdout.write(
        `measured: 200 callers received 503 after ${Math.round(performance.now() - begun)} ms\n`,
      )
      for (const { status, code, headers } of answers)
        expect([status, code, headers['retry-after']]).toEqual([503, 'unavailable', '1'])
      for (const release of held) await release()
    })
  })

  it('makes the process unready but not dead, as health shows', async () => {
    await through(connect('postgres://nobody@127.0.0.1:1/nothing'), async (call) => {
      expect((await call('readyz')).code).toBe('unavailable')
      expect((await call('livez')).status).toBe(200)
      expect((await call('getHealth')).body).toMatchObject({
        ...{ status: 'down', database: 'down', runs: null },
        integrations: { signIn: 'not_configured', lookups: 'unavailable', callbacks: 'unavailable' },
      })
    })
  })
})

it('a process that drains is unready, and then asks callers to close their connections', async () => {
  const draining = await startApi()
  draining.app.draining = 'unready'
  expect((await draining.call('readyz')).code).toBe('unavailable')
  draining.app.draining = 'leaving'
  const answer = await draining.call('listCategories', { key: draining.keys.a })
  expect([answer.status, answer.headers.connection]).toEqual([200, 'close'])
  await draining.close()
})

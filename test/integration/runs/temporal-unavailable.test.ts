import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { type Child, stopChild } from '../../../dev/process.ts'
import { startTemporal, temporalReady } from '../../../dev/temporal.ts'
import { insertMessageRows, messageRow, reachSendTime } from '../../fixtures/message-rows.ts'
import { type RunsFixture, startRuns } from '../../fixtures/runs.ts'
import { freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

describe('while Temporal is unavailable', () => {
  let server: Child
  let runs: RunsFixture
  let port: number
  const start = async (store: string) => {
    const file = join(inject('scratch'), `away-${port}-${store}`)
    const files = { database: `${file}.db`, logFile: `${file}.log` }
    server = await startTemporal({ binary: inject('temporalBinary'), port, ...files })
    await temporalReady(server, `127.0.0.1:${port}`)
  }

  const database = forFile(freshDatabase)
  beforeAll(async () => {
    port = await freePort()
    await start('first')
    runs = await startRuns({ db: database.db, address: `127.0.0.1:${port}`, namespace: 'default' })
    await runs.startWorker()
  })
  afterAll(async () => {
    await runs.close()
    await stopChild(server, 'SIGKILL', 10_000)
  })

  const sent = async (id: string) => {
    await eventually(async () => expect((await messageRow(runs.db, id)).state).toBe('sent'))
  }

  const lost = () => runs.logged.filter((line) => line.includes('Temporal is unavailable'))

  it('wakes are dropped without waiting, and runs continue when it is back', async () => {
    const before = await insertMessageRows(runs.db)
    runs.wake('message', before, [{ name: 'approved' }])
    await sent(before)

    await stopChild(server, 'SIGKILL', 10_000)
    const ids = await Promise.all(Array.from({ length: 30 }, () => insertMessageRows(runs.db)))
    const begun = performance.now()
    for (let round = 0; round < 100; round += 1)
      for (const id of ids) runs.wake('message', id, [{ name: 'overdue' }])
    process.stdout.write(`measured: 3,000 wakes returned after ${Math.round(performance.now() - begun)} ms\n`)
    await eventually(() => expect(lost()).toHaveLength(1))
    await sleep(3_000) // in which it is checked again, without a log line
    expect(lost()).toHaveLength(1)

    await start('first')
    for (const id of ids) await sent(id)
    for (const id of ids) {
      const sentTo = (await runs.acceptedOf(id)).flatMap(({ to }) => to)
      expect(sentTo).toHaveLength(3_000)
      expect(new Set(sentTo).size).toBe(3_000)
    }
  })

  it('a server that lost its store gets its search attributes again, and the runs are restarted', async () => {
    const id = await insertMessageRows(runs.db, { sendIn: 3_600_000 })
    runs.wake('message', id, [{ name: 'approved' }])
    await eventually(async () => expect((await messageRow(runs.db, id)).observed_version).toBe(1))
    await stopChild(server, 'SIGKILL', 10_000)
    await start('second')
    await reachSendTime(runs.db, id)
    await sent(id)
  })
})

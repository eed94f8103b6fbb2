import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { type Child, stopChild } from '../../../dev/process.ts'
import { startTemporal, temporalReady } from '../../../dev/temporal.ts'
import { sdkMetricNames } from '../../../src/metrics/temporal-sdk.ts'
import { insertMessageRows, messageRow } from '../../fixtures/message-rows.ts'
import { documentedFor, seriesIn, servedNames } from '../../fixtures/metrics.ts'
import { freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { type Spawned, spawnProcess } from '../../harness/spawn.ts'

describe('the worker process', () => {
  let temporal: Child | undefined
  let worker: Spawned
  let ports: { temporal: number; metrics: number }
  const database = forFile(freshDatabase)
  beforeAll(async () => {
    ports = { temporal: await freePort(), metrics: await freePort() }
    worker = await spawnProcess('worker', ['src/worker.ts'], {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal}`,
      METRICS_PORT: String(ports.metrics),
    })
  })
  afterAll(async () => {
    await worker.stop()
    if (temporal) await stopChild(temporal, 'SIGKILL', 10_000)
  })

  const read = async (path: string) => (await fetch(`http://127.0.0.1:${ports.metrics}${path}`)).text()

  it('runs while Temporal is not up yet, and continues once it is', async () => {
    await eventually(async () => expect(await read('/livez')).toBe('ok'))
    await worker.logged(/Temporal is unavailable/)
    const id = await insertMessageRows(database.db, { state: 'submitted', expireIn: 1 })

    const file = join(inject('scratch'), `worker-process-${ports.temporal}`)
    const files = { database: `${file}.db`, logFile: `${file}.log` }
    temporal = await startTemporal({ binary: inject('temporalBinary'), port: ports.temporal, ...files })
    await temporalReady(temporal, `127.0.0.1:${ports.temporal}`)
    await eventually(async () => {
      expect(await messageRow(database.db, id)).toMatchObject({
        state: 'expired',
        closed_at: expect.any(Date),
      })
    })
  })

  it('counts wakes and overdue runs, without personal data', async () => {
    const metrics = await read('/metrics')
    expect(metrics).toMatch(/carillon_reconciler_wakes_total [1-9]/)
    for (const kind of ['message', 'scenario']) {
      for (const state of ['wedged', 'restarted'])
        expect(metrics).toContain(`carillon_runs{kind="${kind}",state="${state}"} 0\n`)
    }
  })

  it('serves the metrics that docs/operating.md lists, those of Temporal’s SDK among them', async () => {
    await eventually(async () =>
      expect(await read('/metrics')).toMatch(/temporal_worker_task_slots_available\{.*"carillon"/),
    )
    const text = await read('/metrics')
    const served = servedNames(text)
    const inDocs = documentedFor('worker')
    expect(served.filter((name) => !inDocs.includes(name))).toEqual([])
    // The SDK serves what has happened at least once.
    const carillon = (names: readonly string[]) => names.filter((name) => name.startsWith('carillon_'))
    expect(carillon(served)).toEqual(carillon(inDocs))
    expect(inDocs.filter((name) => !carillon(inDocs).includes(name))).toEqual([...sdkMetricNames].sort())
    expect(seriesIn(text)).toBeLessThan(500)
  })

  it('says when it starts and polls', () => {
    expect(worker.log()).toMatch(/"version":"\d.*"msg":"Started"/)
    expect(worker.log()).toMatch(/"taskQueues":\["carillon","carillon-lookup"\],"msg":"Polling Temporal"/)
  })

  it('exits with 0 on request', async () => {
    worker.signal('SIGTERM')
    expect(await worker.exited).toEqual({ code: 0, signal: null })
    expect(worker.log()).not.toMatch(/"level":50/)
    expect(worker.log()).toMatch(/"msg":"Draining.*[\s\S]*"msg":"Drained/)
  })
})

import type { Histogram } from 'prom-client'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { type MetricsServer, startMetricsServer } from '../../../src/metrics/server.ts'
import { startApi } from '../../fixtures/api.ts'
import { documentedFor, seriesIn, servedNames } from '../../fixtures/metrics.ts'
import { forFile } from '../../harness/for-file.ts'
import { spawnProcess } from '../../harness/spawn.ts'

let server: MetricsServer
let address: string
/** What a process of the API serves that nobody has asked anything; this process has the metrics of other tests too. */
let ofProcess: string
const api = forFile(startApi)
beforeAll(async () => {
  const port = await freePort()
  address = `http://127.0.0.1:${port}`
  server = await startMetricsServer({ HOST: '127.0.0.1', METRICS_PORT: port }, api.app.metrics)
  ofProcess = await metricsOfProcess()
})
afterAll(async () => {
  await server.close()
})

async function metricsOfProcess(): Promise<string> {
  const port = await freePort()
  const spawned = await spawnProcess('api', ['src/server.ts'], {
    DATABASE_URL: api.database.url,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    METRICS_PORT: String(port),
    PORT: '0',
  })
  await spawned.logged(/Server listening at/)
  const served = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  await spawned.stop()
  return served
}

const read = async (path: string) => {
  const answer = await fetch(`${address}${path}`)
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}

it('the API’s metrics are on a port of their own', async () => {
  await api.call('getHealth')
  const { status, type, text } = await read('/metrics')
  expect([status, type]).toEqual([200, api.app.metrics.contentType])
  expect(text).toContain('carillon_db_connections{state="waiting"} 0')
  expect(text).toContain('carillon_http_request_seconds_count{resource="service",status="2xx"} 1')
  expect(text).toMatch(/carillon_build_info\{version="\d+\.\d+\.\d+",node="v\d+/)
  expect((await read('/livez')).text).toBe('ok')
  expect((await read('/v1/health')).status).toBe(404)
})

it('a process of the API serves the metrics that docs/operating.md lists for it, and no others', () => {
  expect(servedNames(ofProcess)).toEqual(documentedFor('api'))
})

it('has fewer than 500 series, whatever is asked of it', async () => {
  const tags = new Set(Object.values<Endpoint>(endpoints).map(({ tag }) => tag))
  await api.app.inject('/')
  await api.app.inject('/nowhere')
  for (const tag of tags) {
    const { path, method } = Object.values<Endpoint>(endpoints).find((one) => one.tag === tag)!
    await api.app.inject({ method, url: path.replaceAll(/\{\w+\}/g, '1') })
  }
  const { text } = await read('/metrics')
  const resources = new Set([...text.matchAll(/resource="(\w+)"/g)].map(([, name]) => name!))
  // Three chapters are measured with others; beside chapters, there are pages, and paths that lead nowhere.
  expect(resources.size).toBe(tags.size - 3 + 2)
  const http = api.app.metrics.getSingleMetric('carillon_http_request_seconds') as Histogram
  for (const resource of resources)
    for (const status of ['2xx', '4xx', '5xx']) http.observe({ resource, status }, 1)
  const requests = (await read('/metrics')).text.match(/^carillon_http_request_seconds.*$/gm)!
  expect(ofProcess).not.toMatch(/^carillon_http_request_seconds_count/m)
  expect(seriesIn(ofProcess) + requests.length).toBeLessThan(500)
})

it('without a port there is no such server', async () => {
  const none = await startMetricsServer({ HOST: '127.0.0.1', METRICS_PORT: undefined }, api.app.metrics)
  await none.close()
})

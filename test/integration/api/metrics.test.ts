import type { Histogram } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { type MetricsServer, startMetricsServer } from '../../../src/metrics-server.ts'
import { forFile } from '../../harness/for-file.ts'
// As in the API's process: registers the metric of requests to providers.
import '../../../src/wiring.ts'
import { startApi } from '../../fixtures/api.ts'
import { documentedFor, seriesIn, servedNames } from '../../fixtures/metrics.ts'

let server: MetricsServer
let address: string
const api = forFile(startApi)
beforeAll(async () => {
  const port = await freePort()
  address = `http://127.0.0.1:${port}`
  server = await startMetricsServer({ HOST: '127.0.0.1', METRICS_PORT: port }, api.app.metrics)
})
afterAll(async () => {
  await server.close()
})

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

it('serves the metrics that docs/operating.md lists for the API, and no others', async () => {
  expect(servedNames((await read('/metrics')).text)).toEqual(documentedFor('api'))
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
  expect(seriesIn((await read('/metrics')).text)).toBeLessThan(500)
})

it('without a port there is no such server', async () => {
  const none = await startMetricsServer({ HOST: '127.0.0.1', METRICS_PORT: undefined }, api.app.metrics)
  await none.close()
})

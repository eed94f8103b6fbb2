import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { type MetricsServer, startMetricsServer } from '../../../src/metrics-server.ts'
import { type Api, startApi } from '../../fixtures/api.ts'

let api: Api
let server: MetricsServer
let address: string
beforeAll(async () => {
  api = await startApi()
  const port = await freePort()
  address = `http://127.0.0.1:${port}`
  server = await startMetricsServer({ HOST: '127.0.0.1', METRICS_PORT: port }, api.app.metrics)
})
afterAll(async () => {
  await server.close()
  await api.close()
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
  expect(text).toContain(
    'carillon_http_request_seconds_count{method="GET",route="/v1/health",status="2xx"} 1',
  )
  expect((await read('/livez')).text).toBe('ok')
  expect((await read('/v1/health')).status).toBe(404)
})

it('without a port there is no such server', async () => {
  const none = await startMetricsServer({ HOST: '127.0.0.1', METRICS_PORT: undefined }, api.app.metrics)
  await none.close()
})

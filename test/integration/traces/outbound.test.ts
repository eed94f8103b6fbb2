import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { openOutbound, withTracing } from '../../../src/services/outbound/outbound.ts'
import { inSpan, stopTracing } from '../../../src/tracing/spans.ts'
import { openReceiver } from '../../fixtures/callback-receiver.ts'
import { recordInMemory } from '../../fixtures/recorded-spans.ts'

afterEach(() => stopTracing())

function traced() {
  const outbound = withTracing(openOutbound({ allow: [{ host: '127.0.0.1', port: '*' }] }))
  onTestFinished(() => outbound.close())
  return outbound
}

/** What Carillon sends to producers. */
const calls = {
  'a callback': (url: string) =>
    traced().post(url, { headers: { 'x-own': '1' }, body: '{}', timeoutMs: 5_000 }),
  'a Lookup': (url: string) => traced().ask(url, { method: 'GET', headers: { 'x-own': '1' } }),
}

describe.each(Object.entries(calls))('%s', (_, call) => {
  it('names its span to the far end, within the one that surrounds it', async () => {
    const spans = recordInMemory()
    const { url, received } = await openReceiver()
    await inSpan<unknown>('step', {}, () => call(url))
    const [step, client] = spans
    expect(client).toMatchObject({
      ...{ parent: step!.traceparent, kind: 'client', ended: true },
      attributes: { 'http.response.status_code': 204 },
    })
    expect(received[0]!.headers).toMatchObject({ traceparent: client!.traceparent, 'x-own': '1' })
  })

  it('carries nothing of traces while none are recorded', async () => {
    const { url, received } = await openReceiver()
    await call(url)
    expect(received[0]!.headers).toMatchObject({ 'x-own': '1' })
    expect(Object.keys(received[0]!.headers).filter((name) => /trace|baggage|b3/.test(name))).toEqual([])
  })

  it('fails its span by a status or a code, and keeps the address out of it', async () => {
    const spans = recordInMemory()
    const { url, answer } = await openReceiver()
    answer({ status: 503 })
    await call(`${url}?subject=17aa`)
    await call('http://10.0.0.1/17aa')
    expect(spans.map(({ failed }) => failed)).toEqual(['503', 'address_refused'])
    expect(JSON.stringify(spans)).not.toMatch(/17aa|127\.0\.0\.1|10\.0\.0\.1/)
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CarillonError, type LookupRequest, verifyLookup } from '../../../client/src/index.ts'
import { serviceSignature } from '../../../src/signing.ts'
import { exampleSecret, exampleTimestamp, serviceSignatures } from '../../fixtures/service-signatures.ts'

beforeEach(() => vi.useFakeTimers({ now: Number(exampleTimestamp) * 1_000, toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())

const key = { id: 'k1', secret: exampleSecret }
const [short, , post] = serviceSignatures

/** A request with a signature of ours, unless `headers` says otherwise. */
function request(
  { method, content }: { method: string; content: string },
  headers: Record<string, string | string[] | undefined> = {},
): LookupRequest {
  const signed = {
    'x-service-key-id': key.id,
    'x-service-timestamp': exampleTimestamp,
    'x-service-signature': serviceSignature(exampleSecret, exampleTimestamp, content),
    ...headers,
  }
  return method === 'GET'
    ? { method, url: `/orders?${content}`, headers: signed }
    : { method, url: '/orders?not=signed', headers: signed, body: content }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(CarillonError)
  return (error as CarillonError).code
}

describe.each(serviceSignatures)(
  'the signature of $method $content',
  ({ method, content, asks, signature }) => {
    it('is the one that the server makes', () => {
      expect(serviceSignature(exampleSecret, exampleTimestamp, content)).toBe(signature)
      expect(serviceSignature(exampleSecret, exampleTimestamp, Buffer.from(content))).toBe(signature)
    })

    it('is verified by the client, which returns what is asked', async () => {
      const sent = request({ method, content }, { 'x-service-signature': signature })
      expect(await verifyLookup(key, sent)).toEqual({ keyId: 'k1', ...asks })
    })
  },
)

describe('verifyLookup', () => {
  it('takes Headers, an absolute address, bytes, and one of several keys', async () => {
    const get = request(short)
    const headers = new Headers(get.headers as Record<string, string>)
    const keys = [{ id: 'k2', secret: 'another' }, key]
    const url = `https://orders.example.edu/x${get.url}#part`
    expect(await verifyLookup(keys, { method: 'get', url, headers })).toMatchObject(short.asks)
    const body = new TextEncoder().encode(post.content)
    expect(await verifyLookup(keys, { ...request(post), body })).toMatchObject(post.asks)
  })

  it('does not take headers for each other by their case', async () => {
    const { headers, ...rest } = request(short)
    const shouted = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    )
    expect(await verifyLookup(key, { ...rest, headers: shouted })).toMatchObject(short.asks)
  })

  it.each([
    ['unknown_key', request(short, { 'x-service-key-id': 'k9' })],
    ['unknown_key', request(short, { 'x-service-key-id': undefined })],
    ['stale_timestamp', request(short, { 'x-service-timestamp': String(Number(exampleTimestamp) - 301) })],
    ['stale_timestamp', request(short, { 'x-service-timestamp': String(Number(exampleTimestamp) + 301) })],
    ['stale_timestamp', request(short, { 'x-service-timestamp': 'NaN' })],
    ['stale_timestamp', request(short, { 'x-service-timestamp': undefined })],
    ['bad_signature', request(short, { 'x-service-timestamp': String(Number(exampleTimestamp) - 1) })],
    ['bad_signature', request(short, { 'x-service-signature': undefined })],
    ['bad_signature', request(short, { 'x-service-signature': 'v1=%' })],
    ['bad_signature', request(short, { 'x-service-signature': ['v1=', 'v1='] })],
    ['bad_signature', request(short, { 'x-service-signature': short.signature.toUpperCase() })],
    ['bad_signature', { ...request(short), url: `/orders?${short.content}&day=sun` }],
    ['bad_signature', { ...request(short), method: 'POST' }],
    ['bad_signature', { ...request(post), body: `${post.content} ` }],
    ['not_a_lookup', request({ method: 'POST', content: '{"eventId":"e1"}' })],
    ['not_a_lookup', request({ method: 'POST', content: '{"subject":1}' })],
    ['not_a_lookup', request({ method: 'POST', content: '[]' })],
    ['not_a_lookup', request({ method: 'POST', content: 'subject=s1' })],
    ['not_a_lookup', request({ method: 'GET', content: 'day=sat' })],
  ])('throws %s', async (code, sent) => {
    expect(await codeOf(verifyLookup(key, sent))).toBe(code)
  })
})

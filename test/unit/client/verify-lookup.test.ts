import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CarillonError, type LookupTarget, verifyLookup } from '../../../client/src/index.ts'
import { serviceSignature, targetSignature } from '../../../src/signing.ts'
import {
  exampleSecret,
  exampleTimestamp,
  exampleUrl,
  serviceSignatures,
  targetSignatures,
} from '../../fixtures/service-signatures.ts'

beforeEach(() => vi.useFakeTimers({ now: Number(exampleTimestamp) * 1_000, toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())

const key = { id: 'k1', secret: exampleSecret }
const [short, , post] = serviceSignatures

/** Headers with a signature of ours over the content, unless `others` says otherwise. */
function headersOf(content: string, others: Record<string, string | string[] | undefined> = {}) {
  return {
    'x-service-key-id': key.id,
    'x-service-timestamp': exampleTimestamp,
    'x-service-signature': serviceSignature(exampleSecret, exampleTimestamp, content),
    ...others,
  }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(CarillonError)
  return (error as CarillonError).code
}

describe.each(serviceSignatures)('the signature of $method $content', ({ content, asks, signature }) => {
  it('is the one that the server makes', () => {
    expect(serviceSignature(exampleSecret, exampleTimestamp, content)).toBe(signature)
    expect(serviceSignature(exampleSecret, exampleTimestamp, Buffer.from(content))).toBe(signature)
  })

  it('is verified by the client, which returns what is asked', async () => {
    const headers = headersOf(content, { 'x-service-signature': signature })
    expect(await verifyLookup(key, headers, content)).toEqual({ keyId: 'k1', ...asks })
  })
})

describe('verifyLookup', () => {
  it('takes Headers, the search of an address, bytes, and one of several keys', async () => {
    const keys = [{ id: 'k2', secret: 'another' }, key]
    const { search } = new URL(`https://orders.example.edu/x?${short.content}#part`)
    const headers = new Headers(headersOf(short.content) as Record<string, string>)
    expect(await verifyLookup(keys, headers, search)).toMatchObject(short.asks)
    const body = new TextEncoder().encode(post.content)
    expect(await verifyLookup(keys, headersOf(post.content), body)).toMatchObject(post.asks)
  })

  it('does not take headers for each other by their case', async () => {
    const shouted = Object.fromEntries(
      Object.entries(headersOf(short.content)).map(([name, value]) => [name.toUpperCase(), value]),
    )
    expect(await verifyLookup(key, shouted, short.content)).toMatchObject(short.asks)
  })

  const other = (name: string, value: string | string[] | undefined): [object, string] => [
    headersOf(short.content, { [`x-service-${name}`]: value }),
    short.content,
  ]
  const signed = (content: string): [object, string] => [headersOf(content), content]
  it.each<[code: string, sent: [headers: object, content: string]]>([
    ['unknown_key', other('key-id', 'k9')],
    ['unknown_key', other('key-id', undefined)],
    ['stale_timestamp', other('timestamp', String(Number(exampleTimestamp) - 301))],
    ['stale_timestamp', other('timestamp', String(Number(exampleTimestamp) + 301))],
    ['stale_timestamp', other('timestamp', 'NaN')],
    ['stale_timestamp', other('timestamp', undefined)],
    ['bad_signature', other('timestamp', String(Number(exampleTimestamp) - 1))],
    ['bad_signature', other('signature', undefined)],
    ['bad_signature', other('signature', 'v1=%')],
    ['bad_signature', other('signature', ['v1=', 'v1='])],
    ['bad_signature', other('signature', short.signature.toUpperCase())],
    ['bad_signature', [headersOf(short.content), `${short.content}&day=sun`]],
    ['bad_signature', [headersOf(short.content), '']],
    ['bad_signature', [headersOf(post.content), `${post.content} `]],
    ['not_a_lookup', signed('{"eventId":"e1"}')],
    ['not_a_lookup', signed('{"subject":1}')],
    ['not_a_lookup', signed('[]')],
    ['not_a_lookup', signed('{')],
    ['not_a_lookup', signed('day=sat')],
  ])('throws %s', async (code, [headers, content]) => {
    expect(await codeOf(verifyLookup(key, headers as Record<string, string>, content))).toBe(code)
  })

  it('repeats nothing that came with the request in an error', async () => {
    const headers = headersOf(short.content, { 'x-service-key-id': 'somebody’s own' })
    const error = await verifyLookup(key, headers, short.content).catch((thrown: unknown) => thrown)
    expect(String(error)).not.toMatch(/somebody|secret/)
  })
})

describe.each(targetSignatures)('the signature of $target', ({ of, method, target, signature }) => {
  const { content, signature: signed } = serviceSignatures[of]
  const headers = {
    ...headersOf(content),
    'x-service-target': target,
    'x-service-target-signature': signature,
  }
  const arrived = (arrivedAt?: LookupTarget, others: Record<string, string | undefined> = {}) =>
    verifyLookup(key, { ...headers, ...others }, content, arrivedAt)

  it('is the one that the server makes', () => {
    const parts = { timestamp: exampleTimestamp, signature: signed, target }
    expect(targetSignature(exampleSecret, parts)).toBe(signature)
  })

  it('is verified by the client where a producer says at which address the Lookup arrived', async () => {
    const asks = { keyId: 'k1', ...serviceSignatures[of].asks }
    expect(await arrived({ method, url: exampleUrl })).toEqual(asks)
    expect(await arrived({ method: method.toLowerCase(), url: new URL(exampleUrl) })).toEqual(asks)
    expect(await arrived()).toEqual(asks)
  })

  it('is missing where Carillon is older, which only a producer that asks for it refuses', async () => {
    const without = { 'x-service-target': undefined, 'x-service-target-signature': undefined }
    expect(await arrived(undefined, without)).toMatchObject({ keyId: 'k1' })
    expect(await codeOf(arrived({ method, url: exampleUrl }, without))).toBe('wrong_target')
  })

  it('holds for no other method, host or path, nor for the content of another request', async () => {
    const others: LookupTarget[] = [
      { method: method === 'GET' ? 'POST' : 'GET', url: exampleUrl },
      { method: 'DELETE', url: exampleUrl },
      { method, url: exampleUrl.replace('https:', 'http:') },
      { method, url: exampleUrl.replace('.edu', '.edu:8443') },
      { method, url: exampleUrl.replace('orders.', 'grades.') },
      { method, url: exampleUrl.replace('/find', '/find/') },
    ]
    for (const one of others) expect(await codeOf(arrived(one))).toBe('wrong_target')
    const swapped = headersOf(`${content} `)
    const mixed = verifyLookup(key, { ...headers, ...swapped }, `${content} `, { method, url: exampleUrl })
    expect(await codeOf(mixed)).toBe('wrong_target')
  })

  it('holds for no other address at all', async () => {
    const change = fc.tuple(fc.nat(target.length), fc.stringMatching(/^[a-zA-Z0-9/._~-]?$/))
    await fc.assert(
      fc.asyncProperty(change, async ([at, letter]) => {
        const changed = `${target.slice(0, at)}${letter}${target.slice(at + 1)}`
        fc.pre(changed !== target)
        const refused = arrived({ method, url: exampleUrl }, { 'x-service-target': changed })
        expect(await codeOf(refused)).toBe('wrong_target')
      }),
    )
  })
})

it('verifyLookup says what is wrong with an address that is not whole', async () => {
  const { content } = short
  const { signature, target } = targetSignatures[0]
  const headers = {
    ...headersOf(content),
    'x-service-target': target,
    'x-service-target-signature': signature,
  }
  await expect(verifyLookup(key, headers, content, { method: 'GET', url: '/find' })).rejects.toThrow(
    /arrivedAt.url must be the whole address/,
  )
})

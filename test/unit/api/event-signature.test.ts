import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventPrincipal, requireSigningKey } from '../../../src/api/auth/event-signature.ts'
import { ServiceError } from '../../../src/contract/errors.ts'

const keys = new Map([
  ['old', 'a secret: with colons'],
  ['new', 'another'],
])
const now = Date.parse('2026-11-20T09:00:00.999Z')
const seconds = Math.floor(now / 1_000)
const body = Buffer.from('{"eventId":"1","data":{"name":"林小雨"}}')

type Call = { keyId: string; timestamp: string; signature: string; body: Buffer; source?: string }

function signed({ keyId = 'new', timestamp = String(seconds) } = {}): Call {
  const hmac = createHmac('sha256', keys.get(keyId)!).update(`${timestamp}.`).update(body)
  return { keyId, timestamp, signature: `v1=${hmac.digest('hex')}`, body }
}

const sources = new Map([['new', new Set(['sis', 'library'])]])

async function principalOf({ keyId, timestamp, signature, body, source = 'sis' }: Call) {
  const headers = {
    'x-service-key-id': keyId,
    'x-service-timestamp': timestamp,
    'x-service-signature': signature,
  }
  return eventPrincipal(await requireSigningKey({ keys, sources }, { source, headers }), body, now)
}

async function codeOf(call: Call): Promise<string> {
  try {
    return (await principalOf(call)).keyId
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

function codesOf(calls: Call[]): Promise<string[]> {
  return Promise.all(calls.map(codeOf))
}

describe('a signed event', () => {
  it('is accepted with either of two keys', async () => {
    expect(await codesOf(['old', 'new'].map((keyId) => signed({ keyId })))).toEqual(['old', 'new'])
  })

  it('is of a source that its key may raise; a key without a list may raise every one', async () => {
    const outcomes = (keyId: string, sources: string[]) =>
      codesOf(sources.map((source) => ({ ...signed({ keyId }), source })))
    expect(await outcomes('new', ['sis', 'library', 'Sis', 'sis2', ''])).toEqual([
      ...['new', 'new', 'unknown_key', 'unknown_key', 'unknown_key'],
    ])
    expect(await outcomes('old', ['sis', 'anything'])).toEqual(['old', 'old'])
  })

  it.each([
    [-301, 'stale_timestamp'],
    [-300, 'new'],
    [300, 'new'],
    [301, 'stale_timestamp'],
  ])('whose timestamp is %i seconds away: %s', async (away, outcome) => {
    await expect(codeOf(signed({ timestamp: String(seconds + away) }))).resolves.toBe(outcome)
  })

  it.each(['soon', '1e9', `${seconds}.5`, `-${seconds}`, `${seconds}0`, '9'.repeat(400)])(
    'whose timestamp is %s is stale',
    (timestamp) => expect(codeOf(signed({ timestamp }))).resolves.toBe('stale_timestamp'),
  )

  it('that is stale learns the time of the server', () => {
    return expect(principalOf(signed({ timestamp: '0' }))).rejects.toThrow(`which is ${seconds}`)
  })

  it('is checked for its headers, its key, its signature and its time, in this order', async () => {
    const wrong: Call = { keyId: 'nobody', timestamp: '0', signature: 'v1=', body }
    const calls = [{ ...wrong, signature: '' }, wrong, { ...wrong, keyId: 'new' }, signed({ timestamp: '0' })]
    const order = ['unauthenticated', 'unknown_key', 'bad_signature', 'stale_timestamp']
    expect(await codesOf(calls)).toEqual(order)
  })

  it.each(['', 'V1=', 'v2=', 'v1=v1='])('must begin with v1= and not with "%s"', (start) => {
    const call = signed()
    const code = codeOf({ ...call, signature: start + call.signature.slice(3) })
    return expect(code).resolves.toBe('bad_signature')
  })
})

const text = fc.string({ unit: 'binary', maxLength: 80 })
const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))
/** The call with one bit of its body flipped, one byte more or less, or another body. */
const tampered = fc.oneof(
  bytes,
  fc.nat(body.length * 8 - 1).map((bit) => flipped(bit)),
  fc.nat(body.length - 1).map((at) => Buffer.concat([body.subarray(0, at), body.subarray(at + 1)])),
  fc.nat(255).map((byte) => Buffer.concat([body, Buffer.from([byte])])),
)

function flipped(bit: number): Buffer {
  const copy = Buffer.from(body)
  copy[bit >> 3]! ^= 1 << (bit & 7)
  return copy
}

const mutations: [what: string, mutation: fc.Arbitrary<Partial<Call>>, codes: string[]][] = [
  ['another body', tampered.map((body) => ({ body })), ['bad_signature']],
  ['another timestamp', text.map((timestamp) => ({ timestamp })), ['bad_signature', 'unauthenticated']],
  ['another time', fc.nat().map((timestamp) => ({ timestamp: String(timestamp) })), ['bad_signature']],
  ['another signature', text.map((signature) => ({ signature })), ['bad_signature', 'unauthenticated']],
  [
    'another digest',
    fc.stringMatching(/^[0-9a-fA-F]{0,70}$/).map((hex) => ({ signature: `v1=${hex}` })),
    ['bad_signature'],
  ],
  ['another key id', text.map((keyId) => ({ keyId })), ['unknown_key', 'unauthenticated']],
  ['the other key id', fc.constant({ keyId: 'old' }), ['bad_signature']],
]

describe('a signed event of which something was changed', () => {
  it.each(mutations)('%s is rejected for the right reason', async (_what, mutation, codes) => {
    const call = signed()
    const changes = ({ body: other, ...texts }: Partial<Call>) =>
      other
        ? !other.equals(body)
        : Object.entries(texts).some(([name, value]) => call[name as 'keyId'] !== value)
    const check = async (mutated: Partial<Call>) => {
      expect(codes).toContain(await codeOf({ ...call, ...mutated }))
    }
    await fc.assert(fc.asyncProperty(mutation.filter(changes), check), { numRuns: 2_000 })
  })
})

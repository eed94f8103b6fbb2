import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { malformed } from '../../fixtures/malformed.ts'
import { bind, newEvent, signatureHeaders } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)
beforeAll(async () => {
  await bind(api)
})

async function post(payload: string | Buffer, headers: Record<string, string>) {
  const { statusCode, body } = await api.app.inject({
    method: 'POST',
    url: '/v1/events/sis',
    payload,
    headers,
  })
  return { status: statusCode, body: JSON.parse(body) }
}

/** What a header can carry. */
const text = fc
  .string({ unit: 'binary-ascii', maxLength: 80 })
  .map((odd) => odd.replaceAll(/[^\x21-\x7e]/g, '~'))
const names = ['x-service-key-id', 'x-service-timestamp', 'x-service-signature'] as const
type Name = (typeof names)[number]

const code: Record<Name, string> = {
  'x-service-key-id': 'unknown_key',
  'x-service-timestamp': 'bad_signature',
  'x-service-signature': 'bad_signature',
}

describe('a signed event', () => {
  it('with another header is rejected for the right reason, and never accepted', async () => {
    const raw = JSON.stringify(newEvent())
    const right = signatureHeaders(raw)
    const check = async (name: Name, value: string) => {
      fc.pre(value !== right[name] && !(name === 'x-service-key-id' && value === 'old'))
      const { status, body } = await post(raw, { ...right, [name]: value })
      expect([status, body.error.code]).toEqual([401, value === '' ? 'unauthenticated' : code[name]])
    }
    await fc.assert(fc.asyncProperty(fc.constantFrom(...names), text, check), { numRuns: 1_000 })
  })

  it('with another body is rejected, whatever its bytes', async () => {
    const right = signatureHeaders(JSON.stringify(newEvent()))
    const check = async (bytes: Uint8Array, type: string) => {
      const { status, body } = await post(Buffer.from(bytes), { ...right, 'content-type': type })
      expect([status, body.error.code]).toEqual([401, 'bad_signature'])
    }
    const types = fc.constantFrom('application/json', 'text/plain', 'application/octet-stream', 'nonsense')
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), types, check), { numRuns: 1_000 })
  })

  it('that is malformed in one place is answered 202 or 400, never with an internal error', async () => {
    const check = async (body: unknown) => {
      const raw = JSON.stringify(body) ?? ''
      const answer = await post(raw, signatureHeaders(raw))
      expect([202, 400], JSON.stringify([raw, answer])).toContain(answer.status)
      expect(answer.body.error, raw).not.toBe('internal')
    }
    const example = newEvent({ data: { day: 'Saturday', more: { list: [1, 'x'] } } })
    const times = fc
      .constantFrom('0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59', '2026-02-30T00:00:00Z')
      .map((occurredAt) => newEvent({ occurredAt }))
    await fc.assert(fc.asyncProperty(fc.oneof(malformed(example), times), check), { numRuns: 300 })
  })
})

import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Carillon, type SigningKey, verifyCallback, verifyLookup } from '../../../client/src/index.ts'

const key = Buffer.from('a secret of 24 characters')
const secret = `whsec_${key.toString('base64')}`
const body = JSON.stringify({ type: 'test', data: {} })

function headersOf(signed: string) {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const signature = createHmac('sha256', key).update(`e1.${timestamp}.${signed}`).digest('base64')
  return { 'webhook-id': 'e1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

describe('verifyCallback', () => {
  it.each([
    ['a string', body],
    ['a Buffer, as Express gives it', Buffer.from(body)],
    ['bytes', new TextEncoder().encode(body)],
  ])('takes the body as %s', async (_, value) => {
    expect(await verifyCallback(secret, headersOf(body), value)).toEqual(JSON.parse(body))
  })

  it.each(['whsec_', 'whsec_?', 'no base64!'])('says that %s is no secret', async (wrong) => {
    const verified = verifyCallback(wrong, headersOf(body), body)
    await expect(verified).rejects.toThrow(TypeError)
    await expect(verified).rejects.toThrow(/must be whsec_ followed by base64/)
  })

  it('says what is wrong with a signature', async () => {
    await expect(verifyCallback(secret, headersOf('{}'), body)).rejects.toThrow(/body as it arrived/)
    await expect(verifyCallback(secret, {}, body)).rejects.toThrow(/no header webhook-signature/)
  })
})

/** As JavaScript may call them, whatever the types say. */
const anything = {
  callback: verifyCallback as (secret: unknown, headers: object, body: unknown) => Promise<unknown>,
  lookup: verifyLookup as (keys: SigningKey, headers: object, content: unknown) => Promise<unknown>,
}

it.each([
  ['a parsed body', { type: 'test' }, /raw body.*a parsed body.*express\.raw/],
  ['nothing', undefined, /this is nothing/],
])('both say that %s is no raw body', async (_, value, message) => {
  await expect(anything.callback(secret, headersOf(body), value)).rejects.toThrow(message)
  await expect(anything.lookup({ id: 'k', secret: 's' }, {}, value)).rejects.toThrow(message)
})

it.each(['', undefined])('an event is not signed with the secret %j', async (none) => {
  const carillon = new Carillon({ baseUrl: 'https://hub.example.org', key: 'hub_a_b' })
  const event = { eventId: 'e1', type: 't', occurredAt: '2030-01-01T00:00:00Z', subjectUids: [], data: {} }
  const sent = carillon.sendEvent('sis', { id: 'k', secret: none as string }, event)
  await expect(sent).rejects.toThrow(
    new TypeError('The secret of a signing key is missing. Is the environment variable that holds it set?'),
  )
})

it('both say that a secret is missing', async () => {
  const missing = { id: 'k', secret: undefined as unknown as string }
  await expect(anything.callback(undefined, headersOf(body), body)).rejects.toThrow(
    /secret of the callback is missing/,
  )
  await expect(anything.lookup(missing, {}, '')).rejects.toThrow(/secret of a signing key is missing/)
})

import { inspect } from 'node:util'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { Carillon, CarillonError } from '../../../client/src/index.ts'

const secret = 'averysecretsecret'
const key = `hub_a1_${secret}`
const baseUrl = 'https://hub.example.org'

/** All that a log could show of a value. */
function logText(value: unknown): string {
  return inspect(value, { depth: 20, showHidden: true, getters: true }) + JSON.stringify(value)
}

function thrownBy(options: object): unknown {
  try {
    return new Carillon(options as ConstructorParameters<typeof Carillon>[0])
  } catch (error) {
    return error
  }
}

describe('a key', () => {
  it('is not shown by the client that holds it', () => {
    for (const caller of [{ key }, { session: secret }])
      expect(logText(new Carillon({ baseUrl, ...caller }))).not.toContain(secret)
  })

  it('is not shown by an error, whatever failed', async () => {
    const failing: (typeof fetch)[] = [
      async () => Response.json({ error: { code: 'forbidden', message: 'No.' } }, { status: 403 }),
      async () => new Response('<html>', { status: 502 }),
      async () => Promise.reject(new TypeError('fetch failed')),
      fetch,
    ]
    for (const doFetch of failing) {
      const client = new Carillon({ baseUrl: 'http://127.0.0.1:1', key, fetch: doFetch, maxRetries: 0 })
      const event = {
        eventId: 'e',
        type: 't',
        occurredAt: '2030-01-01T00:00:00Z',
        subjectUids: ['s'],
        data: {},
      }
      const calls = [client.messages.get('m'), client.sendEvent('sis', { id: 'k', secret }, event)]
      for (const call of calls) {
        const error = await call.catch((thrown: unknown) => thrown)
        expect(error).toBeInstanceOf(CarillonError)
        expect(logText(error)).not.toContain(secret)
      }
    }
  })

  it.each([`${key}\n`, `${key} `, `${key}鑰`])('that no header can carry is refused unseen', (wrong) => {
    for (const caller of [{ key: wrong }, { session: wrong }]) {
      const error = thrownBy({ baseUrl, ...caller })
      expect(error).toBeInstanceOf(TypeError)
      expect(logText(error)).not.toContain(secret)
    }
  })

  it('must be given, or a session', () => {
    for (const caller of [{}, { key: '' }, { key: undefined }, { session: '' }])
      expect(thrownBy({ baseUrl, ...caller })).toMatchObject({ message: expect.stringMatching(/^Pass key/) })
  })

  it('goes to no other host: a redirect is an error', async () => {
    let redirect: string | undefined
    const service: typeof fetch = async (_, init) => {
      redirect = init?.redirect
      return new Response('', { status: 302, headers: { location: 'https://elsewhere.example' } })
    }
    const error = await new Carillon({ baseUrl, key, fetch: service }).messages
      .get('m')
      .catch((e: unknown) => e)
    expect(redirect).toBe('manual')
    expect(error).toMatchObject({ code: 'unexpected_answer', status: 302 })
  })
})

it.each([
  '',
  'hub.example.org',
  'ftp://hub.example.org',
  'https://me:secret@hub.example.org',
  'https://x/?a=b',
])('the address %j is refused, and not repeated', (wrong) => {
  const error = thrownBy({ baseUrl: wrong, key })
  expect(error).toBeInstanceOf(TypeError)
  expect(logText(error)).not.toContain('me:secret')
})

it('an error knows the type of its details', () => {
  const violations = [{ path: 'messages[0].url', code: 'https_required' }]
  const error = new CarillonError('No.', { code: 'content_violation', status: 400, details: { violations } })
  expect(error.is('not_found')).toBe(false)
  if (!error.is('content_violation')) throw new Error('It is one.')
  expectTypeOf(error.details.violations[0]!.path).toEqualTypeOf<string>()
  expectTypeOf(error.code).toEqualTypeOf<'content_violation'>()
  expect(error.details.violations).toEqual(violations)
})

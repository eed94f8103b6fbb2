import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { requireSameOrigin } from '../../../src/api/auth/console-session.ts'
import { ServiceError } from '../../../src/contract/errors.ts'

const publicUrl = 'https://hub.example.edu'

/** A change from a browser; `host` as in the request, or as a trusted proxy forwards it. */
function answerTo(origin: string, host: string, ownUrl: string | null = publicUrl): string {
  const request = { method: 'POST', host, headers: { origin, 'sec-fetch-site': 'same-origin' } }
  try {
    requireSameOrigin(request as unknown as FastifyRequest, ownUrl ?? undefined)
    return 'passes'
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

it.each([
  ['the public address, behind a proxy that says which host was asked', publicUrl, 'hub.example.edu'],
  ['the public address, behind a proxy that asks by an inner name', publicUrl, 'carillon-api:3000'],
  ['the public address with its explicit port', 'https://hub.example.edu:443', 'carillon-api:3000'],
  ['the host that was asked, such as localhost', 'http://localhost:3000', 'localhost:3000'],
])('accepts requests from %s', (_what, origin, host) => {
  expect(answerTo(origin, host)).toBe('passes')
})

it.each([
  ['another host', 'https://elsewhere.example', 'carillon-api:3000'],
  ['the public host without TLS', 'http://hub.example.edu', 'hub.example.edu'],
  ['another port of the public host', 'https://hub.example.edu:8443', 'hub.example.edu'],
  ['a host whose name begins alike', 'https://hub.example.edu.elsewhere.example', 'hub.example.edu'],
  ['a host below it', 'https://x.hub.example.edu', 'hub.example.edu'],
  ['nowhere', 'null', 'hub.example.edu'],
  ['what is no address', 'hub.example.edu', 'hub.example.edu'],
])('rejects requests from %s', (_what, origin, host) => {
  expect(answerTo(origin, host)).toBe('forbidden')
})

it('compares only the host if no public URL is configured', () => {
  expect(answerTo('https://elsewhere.example', 'hub.example.edu', null)).toBe('forbidden')
  expect(answerTo('https://hub.example.edu', 'hub.example.edu', null)).toBe('passes')
})

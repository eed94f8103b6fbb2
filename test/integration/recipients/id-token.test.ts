import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../../fixtures/api.ts'

const issuer = 'https://access.example'
const channelId = '1234567890'
const secret = 'the login channel secret of 32 b'
const now = () => Math.floor(Date.now() / 1_000)

let api: Api
let keys: Awaited<ReturnType<typeof generateKeyPair>>
let broken = false
const provider = createServer(async (_, response) => {
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  response.statusCode = broken ? 500 : 200
  response.end(JSON.stringify({ keys: [jwk] }))
})

beforeAll(async () => {
  keys = await generateKeyPair('ES256')
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done))
  api = await open()
})
afterAll(async () => {
  await api.close()
  provider.close()
})

function open(path = '/certs'): Promise<Api> {
  const jwksUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}${path}`
  return startApi({ auth: { chatLogin: { channelId, issuer, jwksUrl, secret } } })
}

type Claims = {
  sub?: string
  aud?: string | string[]
  iss?: string
  exp?: number
  iat?: number
  nbf?: number
}
const good: Claims = { sub: 'Us1', aud: channelId, iss: issuer }

function token(
  claims: Claims = {},
  header: Partial<JWTHeaderParameters> = {},
  key: unknown = keys.privateKey,
) {
  return new SignJWT({ ...good, iat: now(), exp: now() + 3_600, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
    .sign(key as Uint8Array)
}

const request = async (authorization: string, there = api) =>
  (await there.call('getPreferences', { headers: { authorization } })).code
const ask = async (jwt: string | Promise<string>, there?: Api) => request(`Bearer ${await jwt}`, there)

describe('an id token', () => {
  it('authenticates the person with its chat address', async () => {
    expect(await ask(token())).toBeNull()
    expect(await ask(token({ aud: ['other', channelId] }))).toBeNull()
  })

  it('may be signed with the channel’s secret, as the web sign-in does', async () => {
    expect(await ask(token({}, { alg: 'HS256' }, new TextEncoder().encode(secret)))).toBeNull()
  })

  it('of an unknown person is rejected as not_bound', async () => {
    expect(await ask(token({ sub: 'Unobody' }))).toBe('not_bound')
  })

  it.each([
    ['of another channel', () => token({ aud: 'other' })],
    ['of another issuer', () => token({ iss: 'https://evil.example' })],
    ['that has expired', () => token({ exp: now() - 1 })],
    ['that is not valid yet', () => token({ nbf: now() + 600 })],
    ['without an end', () => token({ exp: undefined as never })],
    ['without a person', () => token({ sub: undefined as never })],
    ['with an empty person', () => token({ sub: '' })],
    ['signed by another key', async () => token({}, {}, (await generateKeyPair('ES256')).privateKey)],
    ['of an unknown key', () => token({}, { kid: 'two' })],
    [
      'signed with another secret',
      () => token({}, { alg: 'HS256' }, new TextEncoder().encode('x'.repeat(32))),
    ],
    [
      'of an algorithm that is not allowed',
      async () => token({}, { alg: 'RS256' }, (await generateKeyPair('RS256')).privateKey),
    ],
    ['without a signature', () => new UnsecuredJWT(good as never).setExpirationTime('1h').encode()],
    [
      'signed with the published key as a secret',
      async () =>
        token(
          {},
          { alg: 'HS256' },
          new TextEncoder().encode(JSON.stringify(await exportJWK(keys.publicKey))),
        ),
    ],
    [
      'that was changed',
      async () => (await token()).replace(/.(?=[^.]*\.[^.]*$)/, (last) => (last === 'A' ? 'B' : 'A')),
    ],
    ['that is malformed', () => 'a.b.c'],
  ])('%s is rejected', async (_, make) => {
    expect(await ask(make())).toBe('invalid_credential')
  })

  it.each(['Basic dTpw', 'Bearer a b'])('must be a bearer token: %j', async (authorization) => {
    expect(await request(authorization)).toBe('invalid_credential')
  })

  it.each(['', 'Bearer', 'Bearer '])('is missing from %j', async (authorization) => {
    expect(await request(authorization)).toBe('unauthenticated')
  })

  it('cannot be verified without the provider’s keys: the caller is asked to retry', async () => {
    broken = true
    const cold = await open()
    expect(await ask(token(), cold)).toBe('unavailable')
    broken = false
    await cold.close()
  })
})

describe('the mock header', () => {
  const headers = { 'x-mock-channel-user': 'Us1' }

  it('is ignored without the settings of chat login', async () => {
    expect((await api.call('getPreferences', { headers })).code).toBe('unauthenticated')
  })

  it('is replaced by a header with the chat address in mock mode', async () => {
    const mocked = await startApi({ auth: { mock: true } })
    expect((await mocked.call('getPreferences', { headers })).code).toBeNull()
    const empty = { ...headers, authorization: 'Bearer ' }
    expect((await mocked.call('getPreferences', { headers: empty })).code).toBeNull()
    const nobody = { 'x-mock-channel-user': 'Unobody' }
    expect((await mocked.call('getPreferences', { headers: nobody })).code).toBe('not_bound')
    expect(await request('Bearer a.b.c', mocked)).toBe('invalid_credential')
    await mocked.close()
  })
})

it('a member of staff is no recipient', async () => {
  const { keys: own, sessions } = api
  expect((await api.call('getPreferences', { key: own.a })).code).toBe('forbidden')
  expect((await api.call('getPreferences', { session: sessions.editor })).code).toBe('forbidden')
  expect((await api.call('getPreferences', { key: own.revoked })).code).toBe('invalid_credential')
})

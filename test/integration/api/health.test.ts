import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type IdentityServer, startIdentity } from '../../../dev/identity/server.ts'
import { connectOidc, type OidcOptions } from '../../../src/api/auth/oidc.ts'
import type { Integration } from '../../../src/contract/enums.ts'
import { endRest } from '../../../src/db/queries/delivery/provider.ts'
import { openOutbound } from '../../../src/services/outbound/outbound.ts'
import { secretBox } from '../../../src/services/secret-box.ts'
import { type ApiOptions, serveApi, startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { insertRow, updateRows } from '../../fixtures/rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { beHonest } from '../../fixtures/sign-in.ts'
import { Browser } from '../../fixtures/sign-in-browser.ts'
import { forFile } from '../../harness/for-file.ts'

const here = [{ host: '127.0.0.1', port: '*' }] as const
const redirectUri = 'http://127.0.0.1:1/v1/auth/callback'
const client = { id: 'carillon', secret: 'a secret of this test' }
const secrets = secretBox(randomBytes(32))

let identity: IdentityServer
let signIn: OidcOptions
const api = forFile(() => startApi({ services: { secrets, outbound: openOutbound({ allow: here }) } }))
beforeAll(async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const keys = { signing: privateKey.export({ format: 'jwk' }), cookies: 'cookies of this test' }
  identity = await startIdentity({ port: 0, client: { ...client, redirectUri }, keys, people: [] })
  signIn = { issuer: identity.issuer, clientId: client.id, clientSecret: client.secret, redirectUri }
})
afterEach(() => beHonest(identity))
afterAll(async () => {
  await identity.close()
})

/** The health of a process with these settings, on the same database. */
async function healthWith(options: Omit<ApiOptions, 'database'>) {
  const { app, call } = await serveApi(api.database.db, {
    ...options,
    services: { secrets, outbound: openOutbound({ allow: here }), ...options.services },
  })
  const { body } = await call('getHealth')
  await app.close()
  return body
}

async function expectState(integration: Integration, state: string, options: Omit<ApiOptions, 'database'>) {
  const { status, integrations } = await healthWith(options)
  const works = ['ok', 'not_configured'].includes(state)
  expect([integrations[integration], status]).toEqual([state, works ? 'ok' : 'degraded'])
}

it('docs/operating.md says of each field what it makes of the status', async () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
  const [table] = /^\| field \| `degraded` \|(?:.*\n)+?\n/m.exec(page)!
  const explained = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, field]) => field)
  const { status: _, ...fields } = await healthWith({})
  expect(explained.toSorted()).toEqual(Object.keys(fields).toSorted())
})

it('an installation with the channels alone has no integrations, and is healthy', async () => {
  expect(await healthWith({})).toMatchObject({
    status: 'ok',
    integrations: {
      signIn: 'not_configured',
      lookups: 'not_configured',
      avatar: 'not_configured',
      callbacks: 'not_configured',
    },
  })
})

it('a channel is unavailable once its provider has taken nothing for a minute, whatever it answers to probes', async () => {
  const { db } = api.database
  const { waveId } = await insertSentMessage(api, newMessage)
  const chat = async () =>
    (await healthWith({ adapters: { chat: async () => ({ state: 'ok' }) } })).adapters.chat
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000)
  const rest = { channel: 'chat', probe_at: ago(0) } as const
  const deferred = { wave_id: waveId, channel: 'chat', number: 99, locale: 'en', size: 1 } as const
  await insertRow(db, 'channel_rest', { ...rest, until: ago(-300) })
  onTestFinished(async () => {
    await db.deleteFrom('channel_rest').execute()
    await db.deleteFrom('batch').where('number', '=', 99).execute()
  })
  expect(await chat()).toBe('ok')
  await insertRow(db, 'batch', { ...deferred, failing_since: ago(50) })
  expect(await chat()).toBe('ok')
  const failing = db.updateTable('batch').where('number', '=', 99)
  await failing.set({ failing_since: ago(70) }).execute()
  expect(await chat()).toBe('unavailable')
  await updateRows(db, 'channel_rest', {}, { until: ago(10) })
  expect(await chat()).toBe('unavailable')
  await db.transaction().execute((trx) => endRest(trx, 'chat'))
  expect(await chat()).toBe('ok')
})

describe('sign-in', () => {
  const metadata = '/.well-known/openid-configuration'

  it('is ok while the identity provider answers, and unavailable while it fails or is silent', async () => {
    await expectState('signIn', 'ok', { signIn })
    for (const how of [503, 'silent'] as const) {
      identity.lies.broken[metadata] = how
      await expectState('signIn', 'unavailable', { signIn })
    }
    beHonest(identity)
    await expectState('signIn', 'unavailable', { signIn: { ...signIn, issuer: 'http://127.0.0.1:1' } })
  })

  it('is misconfigured where the settings name something else, or a provider of another name', async () => {
    identity.lies.broken[metadata] = 404
    await expectState('signIn', 'misconfigured', { signIn })
    beHonest(identity)
    const alias = identity.issuer.replace('127.0.0.1', 'localhost')
    await expectState('signIn', 'misconfigured', { signIn: { ...signIn, issuer: alias } })
  })

  it('is misconfigured once the provider has rejected the client', async () => {
    const wrong = connectOidc({ ...signIn, clientSecret: 'another secret' })
    expect(await wrong.health()).toBe('ok')
    const { url, checks } = await wrong.begin()
    const browser = new Browser()
    const form = await browser.open(url)
    const back = await browser.submit(form, { login: 'a@example.edu', password: 'anything' }, redirectUri)
    await expect(wrong.finish(new URL(back.url).search, checks)).rejects.toMatchObject({ code: 'provider' })
    expect(await wrong.health()).toBe('misconfigured')
  })
})

it('Lookups are misconfigured while the key of an endpoint is missing, or its address may not be called', async () => {
  const { db } = api.database
  onTestFinished(async () => void (await db.deleteFrom('lookup_endpoint').execute()))
  const add = (origin: string, keyId: string | null) =>
    db.insertInto('lookup_endpoint').values({ origin, key_id: keyId, created_by: 'operator:cli' }).execute()
  await add('https://orders.example.edu', null)
  await add('http://127.0.0.1:*', 'new')
  await expectState('lookups', 'ok', {})
  await expectState('lookups', 'misconfigured', { services: { outbound: openOutbound({ allow: [] }) } })
  await expectState('lookups', 'misconfigured', { services: { signingKeys: new Map([['old', 'a secret']]) } })
  await expectState('lookups', 'misconfigured', { services: { signingKeys: new Map() } })
})

it('the assistant is misconfigured without its secret, or while its unit does not exist', async () => {
  const auth = { mock: false, webhookSecrets: { avatar: 'a secret' } }
  await expectState('avatar', 'ok', { auth, services: { avatarUnit: 'Admissions' } })
  await expectState('avatar', 'ok', { auth, services: { avatarUnit: api.units.a } })
  await expectState('avatar', 'misconfigured', { auth, services: { avatarUnit: 'Nobody' } })
  const unsigned = { auth: { mock: false }, services: { avatarUnit: 'Admissions' } }
  await expectState('avatar', 'misconfigured', unsigned)
})

it('callbacks are misconfigured while a secret cannot be read, or an address may not be called', async () => {
  const create = (url: string) =>
    api.call('createCallback', { key: api.keys.a, body: { url, description: 'SIS' } })
  const { body: local } = await create('http://127.0.0.1:1/')
  expect((await create('https://hooks.example.edu/')).status).toBe(201)
  await expectState('callbacks', 'ok', {})
  await expectState('callbacks', 'misconfigured', { services: { secrets: secretBox(randomBytes(32)) } })
  await expectState('callbacks', 'misconfigured', { services: { secrets: undefined } })
  const strict = { services: { outbound: openOutbound({ allow: [] }) } }
  await expectState('callbacks', 'misconfigured', strict)
  // What is disabled is not called, and needs nothing.
  await api.call('editCallback', { key: api.keys.a, id: local.id, body: { enabled: false } })
  await expectState('callbacks', 'ok', strict)
})

import { afterEach, describe, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { updateRows } from '../../fixtures/rows.ts'
import { beHonest, startSignIn } from '../../fixtures/sign-in.ts'
import { Browser, type Step } from '../../fixtures/sign-in-browser.ts'
import { forFile } from '../../harness/for-file.ts'

const here = forFile(startSignIn)
afterEach(() => beHonest(here.identity))

const approver = 'approver@example.org'
const now = () => Math.floor(Date.now() / 1_000)

/** The response to a browser that returns with this URL; it has no session then. */
async function refusal(browser: Browser, url: string): Promise<{ status: number; code: string }> {
  const { response, text } = await browser.ask(url, { headers: { accept: 'application/json' } })
  expect(browser.cookie('hub_session')).toBeUndefined()
  expect(await here.session(browser)).toBeNull()
  return { status: response.status, code: JSON.parse(text).error?.code }
}

const untrusted = { status: 401, code: 'invalid_credential' }

describe('an ID token', () => {
  it.each<[string, Record<string, unknown>]>([
    ['for another attempt', { nonce: 'of somebody else' }],
    ['without a nonce', { nonce: undefined }],
    ['for another client', { aud: 'another' }],
    ['for several clients, by another', { aud: ['carillon', 'another'], azp: 'another' }],
    ['of another issuer', { iss: 'https://elsewhere.example' }],
    ['that has expired', { exp: now() - 60 }],
    ['that never expires', { exp: undefined }],
    ['without a subject', { sub: undefined }],
  ])('%s is rejected', async (_what, claims) => {
    here.identity.lies.claims = claims
    const browser = new Browser()
    expect(await refusal(browser, await here.comingBack(browser, approver))).toEqual(untrusted)
  })

  it.each(['forged', 'none'] as const)('whose signature is %s is rejected', async (signature) => {
    here.identity.lies.signature = signature
    const browser = new Browser()
    expect(await refusal(browser, await here.comingBack(browser, approver))).toEqual(untrusted)
  })

  it('is accepted within the allowed clock skew', async () => {
    here.identity.lies.claims = { exp: now() - 3 }
    const browser = new Browser()
    const { response } = await browser.ask(await here.comingBack(browser, approver))
    expect(response.status).toBe(302)
  })
})

describe('a return from the provider', () => {
  it('is rejected with another state, or none', async () => {
    const browser = new Browser()
    const url = new URL(await here.comingBack(browser, approver))
    url.searchParams.set('state', 'another')
    expect(await refusal(browser, url.href)).toEqual(untrusted)
    url.searchParams.delete('state')
    expect(await refusal(browser, url.href)).toEqual({ status: 400, code: 'validation_error' })
  })

  it('is rejected in another browser', async () => {
    const url = await here.comingBack(new Browser(), approver)
    expect(await refusal(new Browser(), url)).toEqual(untrusted)
    const other = new Browser()
    await other.ask(`${here.baseUrl}/v1/auth/login`)
    expect(await refusal(other, url)).toEqual(untrusted)
  })

  it('is rejected when it is repeated', async () => {
    const browser = new Browser()
    const url = await here.comingBack(browser, approver)
    await browser.ask(url)
    browser.cookies = browser.cookies.filter(({ name }) => name === 'hub_sign_in')
    expect(await refusal(browser, url)).toEqual(untrusted)
  })

  it('is accepted once of a hundred times at once', async () => {
    const browser = new Browser()
    const url = await here.comingBack(browser, approver)
    const cookie = `hub_sign_in=${browser.cookie('hub_sign_in')}`
    const same = () => fetch(url, { headers: { cookie }, redirect: 'manual' }).then(({ status }) => status)
    const statuses = await Promise.all(Array.from({ length: 100 }, same))
    expect(statuses.filter((status) => status !== 401)).toEqual([302])
  })

  it('is rejected with the code of another attempt, which belongs to another verifier', async () => {
    const browser = new Browser()
    const first = new URL(await here.comingBack(browser, approver))
    const second = new URL(await here.comingBack(browser, approver))
    second.searchParams.set('code', first.searchParams.get('code')!)
    expect(await refusal(browser, second.href)).toEqual(untrusted)
  })

  it('is rejected with a code that was used already', async () => {
    const browser = new Browser()
    const url = new URL(await here.comingBack(browser, approver))
    await browser.ask(url.href)
    browser.cookies = []
    const again = new URL(await here.comingBack(browser, approver))
    again.searchParams.set('code', url.searchParams.get('code')!)
    expect(await refusal(browser, again.href)).toEqual(untrusted)
  })

  it('is rejected from another issuer (RFC 9207)', async () => {
    const browser = new Browser()
    const url = new URL(await here.comingBack(browser, approver))
    url.searchParams.set('iss', 'https://elsewhere.example')
    expect(await refusal(browser, url.href)).toEqual(untrusted)
  })

  it('is rejected after ten minutes', async () => {
    const browser = new Browser()
    const url = await here.comingBack(browser, approver)
    const { db } = here.api.database
    await updateRows(db, 'sign_in', {}, { expires_at: new Date(Date.now() - 1) })
    expect(await refusal(browser, url)).toEqual(untrusted)
    await new Browser().ask(`${here.baseUrl}/v1/auth/login`)
    expect(await db.selectFrom('sign_in').selectAll().execute()).toHaveLength(1)
  })

  it('is rejected when the person declined at the provider', async () => {
    const browser = new Browser()
    const url = new URL(await here.comingBack(browser, approver))
    url.searchParams.delete('code')
    url.searchParams.set('error', 'access_denied')
    expect(await refusal(browser, url.href)).toEqual(untrusted)
  })
})

describe('a person unknown to Carillon', () => {
  const unknown = { status: 403, code: 'forbidden' }

  it('is shown a page in their language', async () => {
    const { response, text } = await here.signIn(new Browser(), 'stranger@elsewhere.example')
    expect(response.status).toBe(403)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
    expect(text).toContain('Ask a system administrator to add you, then sign in again.')
    expect(text).toContain(`href="${here.baseUrl}/v1/auth/login"`)
    const chinese = await here.signIn(
      new Browser({ 'accept-language': 'zh-TW,en;q=0.5' }),
      'x@elsewhere.example',
    )
    expect(chinese.text).toContain('<html lang="zh-Hant-TW">')
  })

  it('is not identified by an unverified address', async () => {
    here.identity.lies.verified = false
    const browser = new Browser()
    expect(await refusal(browser, await here.comingBack(browser, 'stranger@example.org'))).toEqual(unknown)
  })

  it('is not the previous owner of the address', async () => {
    const { db } = here.api.database
    const email = 'other.approver@example.org'
    await here.signIn(new Browser(), email)
    await db.updateTable('person').set({ oidc_subject: 'somebody' }).where('email', '=', email).execute()
    const browser = new Browser()
    expect(await refusal(browser, await here.comingBack(browser, email))).toEqual(unknown)
    expect((await here.signIn(browser, email)).text).toContain('belongs to another account')
  })

  it('is identified by address again if the installation has changed its provider', async () => {
    const { db } = here.api.database
    const old = { oidc_issuer: 'https://old.example', oidc_subject: 'somebody' }
    await db.updateTable('person').set(old).where('email', '=', 'editor@example.org').execute()
    const browser = new Browser()
    await here.signIn(browser, 'editor@example.org')
    expect(await here.session(browser)).toMatchObject({ person: { name: 'Editor' } })
  })
})

describe('a failing provider', () => {
  const down = { status: 503, code: 'retryable' }

  it.each(['/token', '/me'])('whose %s fails is answered with a retryable error', async (path) => {
    const browser = new Browser()
    const url = await here.comingBack(browser, approver)
    here.identity.lies.broken = { [path]: 503 }
    expect(await refusal(browser, url)).toEqual(down)
  })

  it('that accepts requests and does not respond blocks no one', async () => {
    const browser = new Browser()
    const url = await here.comingBack(browser, approver)
    here.identity.lies.broken = { '/token': 'silent' }
    expect(await refusal(browser, url)).toEqual(down)
  })

  it('that is down when sign-in begins is answered with Retry-After', async () => {
    const options = { ...signInOf(), issuer: 'http://127.0.0.1:1' }
    const lost = await startApi({ signIn: options })
    const answer = await lost.call('beginSignIn')
    expect([answer.status, answer.code, answer.headers['retry-after']]).toEqual([503, 'retryable', '1'])
    await lost.close()
  })

  it('that rejects the client is answered with an error that is not retryable', async () => {
    const api = await startApi({ signIn: { ...signInOf(), clientSecret: 'wrong' } })
    const login = await api.app.inject('/v1/auth/login')
    const browser = new Browser()
    const form = await browser.open(login.headers.location as string)
    const back = await browser.submit(form, { email: approver }, '/v1/auth/callback')
    const answer = await api.app.inject({
      url: new URL(back.url).pathname + new URL(back.url).search,
      cookies: { hub_sign_in: login.cookies[0]!.value },
    })
    expect([answer.statusCode, answer.json().error.code]).toEqual([502, 'provider'])
    await api.close()
  })

  it('is not configured: sign-in fails with a page', async () => {
    const without = await startApi()
    expect((await without.call('beginSignIn')).code).toBe('not_configured')
    expect((await without.call('finishSignIn', { query: { state: 'x' } })).code).toBe('not_configured')
    const page = await without.app.inject({ url: '/v1/auth/login', headers: { accept: 'text/html' } })
    expect([page.statusCode, page.body]).toEqual([503, expect.stringContaining('OIDC_ISSUER')])
    await without.close()
  })

  function signInOf() {
    const redirectUri = `${here.baseUrl}/v1/auth/callback`
    return {
      issuer: here.identity.issuer,
      clientId: 'carillon',
      clientSecret: 'a secret of this test',
      redirectUri,
    }
  }
})

describe('an open redirect', () => {
  it.each([
    'https://elsewhere.example',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '\\\\elsewhere.example',
    '/\t/elsewhere.example',
    '/x\\..\\y',
    'javascript:alert(1)',
    'elsewhere',
    '',
    '/\r\nset-cookie: x=y',
  ])('is rejected: returnTo %j', async (returnTo) => {
    expect((await here.api.call('beginSignIn', { query: { returnTo } })).code).toBe('validation_error')
  })
})

it('behind TLS, cookies are Secure', async () => {
  const signIn = {
    issuer: here.identity.issuer,
    clientId: 'carillon',
    clientSecret: 'x',
    redirectUri: 'https://hub.example/v1/auth/callback',
  }
  const api = await startApi({ services: { publicUrl: 'https://hub.example' }, signIn })
  const { headers } = await api.app.inject('/v1/auth/login')
  expect(headers['set-cookie']).toMatch(/; Secure; SameSite=Lax$/)
  await api.close()
})

it('the authorization request carries PKCE, state and nonce', async () => {
  const { response }: Step = await new Browser().ask(`${here.baseUrl}/v1/auth/login`)
  const query = new URL(response.headers.get('location')!).searchParams
  expect(Object.fromEntries(query)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    scope: 'openid email',
  })
})

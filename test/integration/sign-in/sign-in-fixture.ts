import { generateKeyPairSync } from 'node:crypto'
import { type IdentityServer, startIdentity } from '../../../dev/identity/server.ts'
import { noTampering } from '../../../dev/identity/tampering.ts'
import { freePort } from '../../../dev/ports.ts'
import type { Services } from '../../../src/services/context.ts'
import { type Api, startApi } from '../../fixtures/api.ts'
import type { Browser, Step } from './browser.ts'

export type SignInFixture = {
  api: Api
  baseUrl: string
  identity: IdentityServer
  /** Completes the sign-in, or as far as `until`. */
  signIn(browser: Browser, email: string, options?: { returnTo?: string; until?: string }): Promise<Step>
  /** The URL with which the browser would return from the provider, not requested yet. */
  comingBack(browser: Browser, email: string): Promise<string>
  /** The signed-in person; null without a session. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as a caller would
  session(browser: Browser): Promise<any>
  close(): Promise<void>
}

const client = { id: 'carillon', secret: 'a secret of this test' }
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const keys = { signing: privateKey.export({ format: 'jwk' }), cookies: 'cookies of this test' }

/** The API and a real identity provider, both over HTTP. */
export async function startSignIn(services: Partial<Services> = {}): Promise<SignInFixture> {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const redirectUri = `${baseUrl}/v1/auth/callback`
  const identity = await startIdentity({ port: 0, client: { ...client, redirectUri }, keys, people: [] })
  const api = await startApi({
    services: { publicUrl: baseUrl, ...services },
    signIn: { issuer: identity.issuer, clientId: client.id, clientSecret: client.secret, redirectUri },
  })
  await api.app.listen({ host: '127.0.0.1', port })

  const signIn: SignInFixture['signIn'] = async (browser, email, { returnTo, until } = {}) => {
    const query = returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`
    const form = await browser.open(`${baseUrl}/v1/auth/login${query}`)
    return browser.submit(form, { login: email, password: 'anything' }, until)
  }
  return {
    api,
    baseUrl,
    identity,
    signIn,
    comingBack: async (browser, email) => (await signIn(browser, email, { until: redirectUri })).url,
    async session(browser) {
      const { response, text } = await browser.ask(`${baseUrl}/v1/auth/session`)
      return response.status === 200 ? JSON.parse(text) : null
    },
    async close() {
      await identity.close()
      await api.close()
    },
  }
}

/** Makes the provider answer correctly again. */
export function beHonest({ lies }: IdentityServer): void {
  Object.assign(lies, noTampering())
}

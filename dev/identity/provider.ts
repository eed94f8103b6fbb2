import { createHash, type JsonWebKey } from 'node:crypto'
import { type Configuration, Provider } from 'oidc-provider'
import { textOf } from '../../src/html/markup.ts'
import { Memory } from './oidc-store.ts'
import { failurePage } from './page.ts'
import type { Tampering } from './tampering.ts'

/** The installation of Carillon that is registered as the provider's client. */
export type Client = { id: string; secret: string; redirectUri: string }
/** Private keys, kept across restarts so that signatures stay valid. */
export type Keys = { signing: JsonWebKey; cookies: string }

const tokenSeconds = 300
const sessionSeconds = 3_600

/** The account id of an e-mail address, the same at every sign-in. */
export function accountOf(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 20)
}

/** A provider that lets anyone sign in with any e-mail address; `emails` by account. */
export function openProvider(
  issuer: string,
  {
    client,
    keys,
    emails,
    lies,
  }: { client: Client; keys: Keys; emails: Map<string, string>; lies: Tampering },
): Provider {
  const configuration: Configuration = {
    adapter: Memory,
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...keys.signing, kid: 'demo', use: 'sig', alg: 'RS256' }] } as Configuration['jwks'],
    cookies: { keys: [keys.cookies] },
    expiresWithSession: () => false,
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: tokenSeconds,
      AuthorizationCode: tokenSeconds,
      IdToken: tokenSeconds,
      Grant: sessionSeconds,
      Interaction: sessionSeconds,
      Session: sessionSeconds,
    },
    async findAccount(_ctx, accountId) {
      const email = emails.get(accountId)
      if (email === undefined) return undefined
      return { accountId, claims: async () => ({ sub: accountId, email, email_verified: lies.verified }) }
    },
    // Grants without a consent page: Carillon is the only client.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: client.id, accountId: oidc.session!.accountId! })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
    async renderError(ctx, { error, error_description }) {
      ctx.type = 'html'
      ctx.body = textOf(failurePage(error_description ?? error))
    },
  }
  return new Provider(issuer, configuration)
}

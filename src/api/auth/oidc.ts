import * as oidc from 'openid-client'
import type { IntegrationState } from '../../contract/enums.ts'
import type { Identity } from '../../services/identity/sign-in.ts'
import { asServiceError, isRejectedClient, stateAfter } from './oidc-failure.ts'

export type OidcOptions = {
  issuer: string
  clientId: string
  clientSecret: string
  /** Where the provider redirects the browser; registered with the provider. */
  redirectUri: string
}

/** Ties the provider's response to the attempt that requested it. */
type Checks = { state: string; nonce: string; verifier: string }

/** Sign-in at an identity provider: OpenID Connect, authorization code with PKCE (RFC 7636, S256). */
export type IdentityProvider = {
  /** Returns where to send the browser, and the checks for its return. */
  begin(): Promise<{ url: string; checks: Checks }>
  /** Returns the identity the provider vouches for. `answer`: the query the browser returned with. */
  finish(answer: string, checks: Checks): Promise<Identity>
  /** Asks the provider for its metadata. `misconfigured` also if it rejected the client at the last sign-in here. */
  health(): Promise<IntegrationState>
}

/** Timeout of requests to the provider (seconds). */
const timeoutSeconds = 5
/** The same for health, which people wait for (seconds). */
const healthTimeoutSeconds = 1
/** How far the provider's clock may differ from this server's (seconds). */
const clockToleranceSeconds = 10

/**
 * The provider of this installation. Its metadata is fetched on first use, and again until a fetch succeeds: the
 * provider may be down while this process starts.
 * @throws ServiceError from both methods: invalid_credential, provider, retryable
 */
export function connectOidc(options: OidcOptions): IdentityProvider {
  let discovered: Promise<oidc.Configuration> | undefined
  let rejected = false
  const configuration = () => {
    discovered ??= discover(options).catch((error) => {
      discovered = undefined
      throw error
    })
    return discovered
  }

  return {
    async begin() {
      const checks = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      }
      const config = await configuration().catch(asServiceError)
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: options.redirectUri,
        scope: 'openid email',
        code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
        state: checks.state,
        nonce: checks.nonce,
      })
      return { url: url.href, checks }
    },

    async finish(answer, checks) {
      const url = new URL(options.redirectUri)
      url.search = answer
      try {
        const identity = await identityOf(await configuration(), url, checks)
        rejected = false
        return identity
      } catch (error) {
        rejected ||= isRejectedClient(error)
        throw asServiceError(error)
      }
    },

    async health() {
      const state = await discover(options, healthTimeoutSeconds).then(() => 'ok' as const, stateAfter)
      return state === 'ok' && rejected ? 'misconfigured' : state
    },
  }
}

async function discover(
  { issuer, clientId, clientSecret }: OidcOptions,
  timeout = timeoutSeconds,
): Promise<oidc.Configuration> {
  const execute = [oidc.enableNonRepudiationChecks] // check the signature, although the token comes over TLS
  if (issuer.startsWith('http:')) execute.push(oidc.allowInsecureRequests) // in production for this machine only
  return oidc.discovery(
    new URL(issuer),
    clientId,
    { client_secret: clientSecret, [oidc.clockTolerance]: clockToleranceSeconds },
    undefined,
    { timeout, execute },
  )
}

/** Exchanges the code. The library verifies state, nonce, signature, issuer, audience and times. */
async function identityOf(config: oidc.Configuration, url: URL, checks: Checks): Promise<Identity> {
  const tokens = await oidc.authorizationCodeGrant(config, url, {
    expectedState: checks.state,
    expectedNonce: checks.nonce,
    pkceCodeVerifier: checks.verifier,
    idTokenExpected: true,
  })
  const { iss: issuer, sub: subject, ...claims } = tokens.claims()!
  const asksUserInfo = claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
  const about = asksUserInfo ? await oidc.fetchUserInfo(config, tokens.access_token, subject) : claims
  const verified = about.email_verified === true && typeof about.email === 'string'
  return { issuer, subject, email: verified ? String(about.email) : null }
}

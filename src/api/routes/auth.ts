import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import { actorOf } from '../../domain/principal.ts'
import { editPerson } from '../../services/admin/persons.ts'
import type { Services } from '../../services/context.ts'
import { findSession, signOut } from '../../services/identity/session.ts'
import { attemptMinutes, rememberAttempt, resumeAttempt, signIn } from '../../services/identity/sign-in.ts'
import { isSecret, randomSecret } from '../../signing.ts'
import type { IdentityProvider } from '../auth/oidc.ts'
import { localeOf, wantsPage } from '../pages/reader.ts'
import { showPage } from '../pages/send-page.ts'
import { failedPage } from '../pages/sign-in-page.ts'
import { answerError, prepareError } from '../plugins/errors.ts'
import { serve } from '../serve.ts'

/** Holds the secret of a browser during a sign-in, so that no other browser can finish it. */
const browserCookie = 'hub_sign_in'
const sessionCookie = 'hub_session'

/** Sign-in and sign-out of the console. `provider`: undefined if none is configured. */
export function authRoutes(
  app: FastifyInstance,
  { db, publicUrl = '', log }: Services,
  provider: IdentityProvider | undefined,
): void {
  const cookie = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: publicUrl.startsWith('https:'),
  } as const

  app.register(async (scope) => {
    showErrorsAsPages(scope, `${publicUrl}/v1/auth/login`)

    serve(scope, 'beginSignIn', async ({ query, request, reply }) => {
      const { url, checks } = await configured(provider).begin()
      // Two tabs that sign in at the same time share the browser's secret.
      const browser = browserOf(request) ?? randomSecret()
      await rememberAttempt(db, { ...checks, browser, returnTo: query.returnTo })
      reply.setCookie(browserCookie, browser, { ...cookie, maxAge: attemptMinutes * 60 })
      reply.header('location', url)
      return ''
    })

    serve(scope, 'finishSignIn', async ({ query, request, reply }) => {
      const { state } = query
      const oidc = configured(provider)
      const { returnTo, ...checks } = await resumeAttempt(db, state, browserOf(request))
      const identity = await oidc.finish(queryOf(request), { state, ...checks })
      const { token, expiresAt } = await signIn(db, identity, request.cookies[sessionCookie])
      reply.setCookie(sessionCookie, token, { ...cookie, expires: expiresAt })
      reply.header('location', returnTo)
      return ''
    })
  })

  serve(app, 'signOut', async ({ principal, request, reply }) => {
    await signOut(db, principal, request.cookies[sessionCookie]!)
    reply.clearCookie(sessionCookie, cookie)
    if (!wantsPage(request)) return { signedIn: false }
    reply.code(303).header('location', '/')
    return ''
  })

  const currentSession = async ({ cookies }: FastifyRequest) => {
    const session = await findSession(db, cookies[sessionCookie]!)
    if (!session) throw new ServiceError('invalid_credential', 'This session has ended. Sign in again.')
    return session
  }

  serve(app, 'getSession', ({ request }) => currentSession(request))

  serve(app, 'editSession', async ({ principal, request, body }) => {
    await editPerson(db, actorOf(principal), principal.personId, body)
    return currentSession(request)
  })

  /** Logs the reason as an error code of the protocol: tokens hold personal data. */
  function showErrorsAsPages(scope: FastifyInstance, login: string): void {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    scope.setErrorHandler((thrown, request, reply) => {
      if (thrown instanceof ServiceError)
        log.info({ code: thrown.code, details: thrown.details }, 'Sign-in rejected')
      if (!wantsPage(request)) return answerError(thrown, request, reply)
      const error = prepareError(thrown, request, reply)
      return showPage(reply, failedPage(localeOf(request), error, login))
    })
  }
}

/** The secret of a browser that is signing in; undefined if the cookie is missing or malformed. */
function browserOf({ cookies }: FastifyRequest): string | undefined {
  const secret = cookies[browserCookie]
  return secret !== undefined && isSecret(secret) ? secret : undefined
}

function configured(provider: IdentityProvider | undefined): IdentityProvider {
  if (provider) return provider
  throw new ServiceError(
    'not_configured',
    'Sign-in is not configured. Ask the operator to set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
  )
}

/** The raw query: the identity provider's response is verified character for character. */
function queryOf({ raw }: FastifyRequest): string {
  const url = raw.url ?? ''
  return url.includes('?') ? url.slice(url.indexOf('?')) : ''
}

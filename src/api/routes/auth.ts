import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import { actorOf } from '../../domain/rights/principal.ts'
import { editPerson } from '../../services/admin/persons.ts'
import type { Services } from '../../services/context.ts'
import { findSession, signOut } from '../../services/identity/session.ts'
import { rememberAttempt, resumeAttempt, signIn } from '../../services/identity/sign-in.ts'
import { randomSecret } from '../../signing.ts'
import { cookiesFor } from '../auth/cookies.ts'
import type { IdentityProvider } from '../auth/oidc.ts'
import { failedPage } from '../console/home/sign-in-page.ts'
import { renderPage, showPage } from '../console/kit/page.ts'
import { localeOf, wantsPage } from '../console/kit/reader.ts'
import { answerError, prepareError } from '../plugins/errors.ts'
import { serve } from '../serve.ts'

/** Sign-in and sign-out of the console. `provider`: undefined if none is configured. */
export function authRoutes(
  app: FastifyInstance,
  { db, publicUrl = '', log }: Services,
  provider: IdentityProvider | undefined,
): void {
  const cookies = cookiesFor(publicUrl)

  app.register(async (scope) => {
    showErrorsAsPages(scope, `${publicUrl}/v1/auth/login`)

    serve(scope, 'beginSignIn', async ({ query, request, reply }) => {
      const { url, checks } = await configured(provider).begin()
      // Two tabs that sign in at the same time share the browser's secret.
      const browser = cookies.attempt(request) ?? randomSecret()
      await rememberAttempt(db, { ...checks, browser, returnTo: query.returnTo })
      cookies.setAttempt(reply, browser)
      reply.header('location', url)
      return ''
    })

    serve(scope, 'finishSignIn', async ({ query, request, reply }) => {
      const { state } = query
      const oidc = configured(provider)
      const { returnTo, ...checks } = await resumeAttempt(db, state, cookies.attempt(request))
      const identity = await oidc.finish(queryOf(request), { state, ...checks })
      cookies.setSession(reply, await signIn(db, identity, request.cookies.hub_session))
      reply.header('location', inAscii(returnTo))
      return ''
    })
  })

  serve(app, 'signOut', async ({ principal, request, reply }) => {
    await signOut(db, principal, request.cookies.hub_session!)
    cookies.clearSession(reply)
    // What was typed and could not be saved would wait for whoever uses the browser next.
    reply.header('clear-site-data', '"storage"')
    if (!wantsPage(request)) return { signedIn: false }
    reply.code(303).header('location', '/')
    return ''
  })

  const currentSession = async ({ cookies }: FastifyRequest) => {
    const session = await findSession(db, cookies.hub_session!)
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
      return showPage(reply, renderPage(failedPage(localeOf(request), error, login)))
    })
  }
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

/** A path as a header can carry it: what it has encoded already stays as it is. */
function inAscii(path: string): string {
  return path.replaceAll(/[^!-~]+/gu, (text) => encodeURIComponent(text.toWellFormed()))
}

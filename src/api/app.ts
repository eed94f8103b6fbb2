import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { limits } from '../contract/limits.ts'
import type { Services } from '../services/context.ts'
import { assetRoutes } from './assets.ts'
import { type AuthSettings, createAuthenticators } from './auth/authenticate.ts'
import { connectOidc, type OidcOptions } from './auth/oidc.ts'
import { limitRate, type RateLimits } from './auth/rate-limit.ts'
import { answerPageRoutes } from './console/answers/routes.ts'
import { approvalRoutes } from './console/approvals/routes.ts'
import { composePageRoutes } from './console/compose/routes.ts'
import { handoffPageRoutes } from './console/handoffs/routes.ts'
import { startRoute } from './console/home/routes.ts'
import { showNoSuchPage } from './console/kit/no-such-page.ts'
import { messagePageRoutes } from './console/messages/routes.ts'
import { patternPageRoutes } from './console/patterns/routes.ts'
import { resultsPageRoutes } from './console/results/routes.ts'
import { templatePageRoutes } from './console/templates/routes.ts'
import { clientPackageRoutes } from './guide/client-package.ts'
import { guideRoutes } from './guide/routes.ts'
import { integrationsOf, type Probes } from './health.ts'
import { adminHandlers } from './operations/admin.ts'
import { callbackHandlers } from './operations/callbacks.ts'
import { catalogueHandlers } from './operations/catalogue.ts'
import { eventHandlers } from './operations/events.ts'
import { handoffHandlers } from './operations/handoffs.ts'
import { messageHandlers } from './operations/messages.ts'
import { patternHandlers } from './operations/patterns.ts'
import { recipientHandlers } from './operations/recipients.ts'
import { scenarioHandlers } from './operations/scenarios.ts'
import { scheduleHandlers } from './operations/schedules.ts'
import { subjectHandlers } from './operations/subjects.ts'
import { unitHandlers } from './operations/unit.ts'
import { parseJsonBodies } from './plugins/bodies.ts'
import { answerBareRequests, answerBrokenRequest } from './plugins/broken-request.ts'
import { useContractSchemas } from './plugins/contract-schemas.ts'
import { allowOrigins } from './plugins/cors.ts'
import { enableDraining } from './plugins/drain.ts'
import { answerErrors } from './plugins/errors.ts'
import { tagAnswers } from './plugins/etag.ts'
import { shedLoad } from './plugins/load.ts'
import { registerMetrics } from './plugins/metrics.ts'
import { routableUrl } from './plugins/paths.ts'
import { logRequests, requestIdOf } from './plugins/request-log.ts'
import { limitSlots } from './plugins/slots.ts'
import { traceRequests } from './plugins/traces.ts'
import { calendarRoutes } from './public/calendar.ts'
import { linkRoutes } from './public/links.ts'
import { mailSettingsRoutes } from './public/mail-settings.ts'
import { authRoutes } from './routes/auth.ts'
import { docsRoutes } from './routes/docs.ts'
import { mediaRoutes } from './routes/media.ts'
import { serviceRoutes } from './routes/service.ts'
import { type Handlers, serveAll } from './serve.ts'

/** Operations with routes of their own: sign-in, which has pages for errors, and what says how this process is. */
type ServedApart =
  | ('beginSignIn' | 'finishSignIn' | 'signOut' | 'getSession' | 'editSession')
  | ('getHealth' | 'livez' | 'readyz' | 'openapi')

export type ApiOptions = {
  probes: Probes
  /** Whose X-Forwarded-* headers to trust: of this many proxies in front, of these addresses, of all, of none. */
  trustProxy: boolean | number | string[]
  /** How recipients and signed calls authenticate. Without it, those calls are rejected. */
  auth?: AuthSettings
  /** The identity provider of the console. Without it, sign-in fails with `not_configured`. */
  signIn?: OidcOptions | undefined
  rates: RateLimits
  /** Origins whose pages may call the operations of recipients; none by default. */
  recipientOrigins?: readonly string[]
}

/** Builds the HTTP API over the services. The app is not listening yet: call `inject` or `listen`. */
export async function buildApp(
  services: Services,
  { probes, trustProxy, auth, signIn, rates, recipientOrigins = [] }: ApiOptions,
): Promise<FastifyInstance> {
  const identityProvider = signIn && connectOidc(signIn)
  const integrations = integrationsOf(services, {
    signIn: identityProvider?.health,
    avatar: auth?.mock === true || auth?.webhookSecrets?.avatar !== undefined,
  })
  const app = fastify({
    loggerInstance: services.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    trustProxy: typeof trustProxy === 'number' ? lastHops(trustProxy) : trustProxy,
    bodyLimit: limits.bodyBytes,
    // The schemas limit each part of a path; the router would answer before any hook.
    routerOptions: { maxParamLength: Number.MAX_SAFE_INTEGER },
    rewriteUrl: routableUrl,
    requestTimeout: 60_000,
    // Requests that arrive during shutdown are still served; plugins/drain.ts then closes their connections.
    return503OnClosing: false,
    http: { requireHostHeader: false },
    clientErrorHandler: answerBrokenRequest,
  }) as unknown as FastifyInstance
  app.decorate('authenticators', createAuthenticators(services, auth))
  app.decorate('db', services.db)
  logRequests(app)
  traceRequests(app)
  allowOrigins(app, { origins: recipientOrigins, mock: auth?.mock ?? false })
  limitSlots(app, services.db)
  limitRate(app, services.db, rates)
  app.decorateRequest('principal', null)
  app.decorateRequest('objectId', null)
  app.decorateRequest('answeredUnitId', null)
  app.decorateRequest('verifyBody', null)

  answerBareRequests(app)
  useContractSchemas(app)
  enableDraining(app)
  app.decorate('metrics', registerMetrics(app, services, integrations))
  await app.register(helmet, {
    // With no-referrer, helmet's default, browsers send `Origin: null` with our own forms.
    referrerPolicy: { policy: 'same-origin' },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
  })
  await shedLoad(app)
  await app.register(cookie)
  answerErrors(app, showNoSuchPage)
  tagAnswers(app)
  parseJsonBodies(app)

  const handlers: Omit<Handlers, ServedApart> = {
    ...messageHandlers(services),
    ...scenarioHandlers(services),
    ...patternHandlers(services),
    ...scheduleHandlers(services),
    ...handoffHandlers(services),
    ...catalogueHandlers(services),
    ...subjectHandlers(services),
    ...recipientHandlers(services),
    ...eventHandlers(services),
    ...callbackHandlers(services),
    ...unitHandlers(services, rates),
    ...adminHandlers(services),
  }
  serveAll(app, handlers)

  linkRoutes(app, services)
  calendarRoutes(app, services)
  mediaRoutes(app, services)
  mailSettingsRoutes(app, services)
  authRoutes(app, services, identityProvider)
  startRoute(app, services)
  approvalRoutes(app, services)
  handoffPageRoutes(app, services)
  messagePageRoutes(app, services)
  answerPageRoutes(app, services)
  templatePageRoutes(app, services)
  composePageRoutes(app, services)
  patternPageRoutes(app, services)
  assetRoutes(app)
  resultsPageRoutes(app, services)
  docsRoutes(app)
  guideRoutes(app)
  clientPackageRoutes(app)
  serviceRoutes(app, services.db, probes, integrations)
  return app
}

/** Trusts the last proxies on the way to this process. Fastify takes a number of them only in this form. */
function lastHops(count: number) {
  return (_address: string, hop: number) => hop < count
}

import type { FastifyRequest } from 'fastify'
import type { AuthScheme, Endpoint } from '../../contract/endpoint.ts'
import { ServiceError } from '../../contract/errors.ts'
import type {
  AdapterPrincipal,
  Caller,
  EventPrincipal,
  PersonPrincipal,
  Principal,
  ProducerPrincipal,
  RecipientPrincipal,
} from '../../domain/rights/principal.ts'
import type { Services } from '../../services/context.ts'
import { issuedSecret } from '../../services/events/issued-secret.ts'
import { adapterAuthenticator, type VerifyBody, type WebhookSecrets } from './adapter-signature.ts'
import { authorizationOf } from './authorization.ts'
import { sessionPrincipal } from './console-session.ts'
import { type EventSigning, eventPrincipal, requireSigningKey } from './event-signature.ts'
import { type ChatLogin, recipientAuthenticator } from './id-token.ts'
import { producerPrincipal } from './producer-key.ts'

/** The authenticators of this installation, by auth scheme. A scheme that is not configured rejects every call. */
export type Authenticators = {
  producer(authorization: string): Promise<ProducerPrincipal>
  session(request: FastifyRequest, token: string): Promise<PersonPrincipal>
  recipient?(request: FastifyRequest): Promise<RecipientPrincipal>
  /** Checks what precedes the body; what it returns verifies the signature over the raw body. */
  event(request: FastifyRequest): Promise<VerifyBody<EventPrincipal>>
  /** The same for the signature of a channel. */
  adapter(request: FastifyRequest): VerifyBody<AdapterPrincipal>
}

/** The principal of an operation's caller, from its auth schemes. */
export type CallerOf<E> = E extends { auth: readonly (infer D)[] } ? CallerByScheme<D> : never
type CallerByScheme<D> = [D] extends [never]
  ? null
  : D extends 'recipient'
    ? RecipientPrincipal
    : D extends 'event'
      ? EventPrincipal
      : D extends 'adapter'
        ? AdapterPrincipal
        : [D] extends ['producer']
          ? ProducerPrincipal
          : [D] extends ['session']
            ? PersonPrincipal
            : Principal

/** Settings of the auth schemes that an installation may lack. */
export type AuthSettings = {
  /** Accept the mock headers (CHANNEL_MOCK). */
  mock?: boolean
  /** The chat provider's sign-in, for recipients. */
  chatLogin?: ChatLogin | undefined
  /** The secrets channels sign their webhooks with. */
  webhookSecrets?: WebhookSecrets
  /** The keys of the settings that events may be signed with, and the sources each may raise. */
  eventSigning?: Omit<EventSigning, 'issued'>
}

/**
 * Makes the authenticators of this installation from its settings. Pages of its public address may make changes with a
 * session.
 */
export function createAuthenticators(
  services: Services,
  { mock = false, chatLogin, webhookSecrets = {}, eventSigning = noKeys }: AuthSettings = {},
): Authenticators {
  const { db, publicUrl } = services
  const signing = {
    ...eventSigning,
    issued: (id: string, source: string) => issuedSecret(services, id, source),
  }
  return {
    adapter: adapterAuthenticator({ secrets: webhookSecrets, mock }),
    ...((chatLogin || mock) && { recipient: recipientAuthenticator(db, { login: chatLogin, mock }) }),
    producer: (authorization) => producerPrincipal(db, authorization),
    session: (request, token) => sessionPrincipal(db, request, token, publicUrl),
    event: async ({ headers, params }) => {
      const signed = await requireSigningKey(signing, { source: sourceIn(params), headers })
      return (body) => eventPrincipal(signed, body, Date.now())
    },
  }
}

const noKeys = { keys: new Map(), sources: new Map() }

/** The source in the path of an event, which is not validated yet. */
function sourceIn(params: unknown): string {
  return typeof params === 'object' && params !== null && 'source' in params ? String(params.source) : ''
}

/** Whether callers of an operation authenticate by a signature over the body. */
export function isBodySigned({ auth }: Endpoint): boolean {
  return auth.includes('event') || auth.includes('adapter')
}

/**
 * Authenticates the caller of an operation whose credential is in the headers. An Authorization header takes precedence
 * over a cookie, unless it has no token.
 * @throws ServiceError unauthenticated, invalid_credential, not_bound; forbidden or identity_api_forbidden if the
 *   credential is valid but its kind may not call this operation
 */
export async function authenticate(
  authenticators: Authenticators,
  request: FastifyRequest,
  endpoint: Endpoint,
): Promise<Caller> {
  if (endpoint.auth.includes('recipient')) return recipient(authenticators, request)
  const caller = await producerOrPerson(authenticators, request)
  const scheme: AuthScheme = caller.kind === 'producer' ? 'producer' : 'session'
  if (endpoint.administrative) requireAdministrative(caller)
  if (!endpoint.auth.includes(scheme)) throw new ServiceError('forbidden', refusals[caller.kind])
  if (endpoint.systemAdmin) requireSystemAdmin(caller)
  return caller
}

async function recipient(
  authenticators: Authenticators,
  request: FastifyRequest,
): Promise<RecipientPrincipal> {
  if (isOfAnotherKind(request)) {
    await producerOrPerson(authenticators, request)
    throw new ServiceError(
      'forbidden',
      'Only a recipient may do this. Send an ID token of the chat provider.',
    )
  }
  if (authenticators.recipient) return authenticators.recipient(request)
  throw new ServiceError(
    'unauthenticated',
    'Sign-in for recipients is not configured in this installation. Ask its operator to set it up.',
  )
}

/** Whether the caller sends a producer key, or a session and no mock header; the call fails with 403 if it is valid. */
function isOfAnotherKind({ headers, cookies }: FastifyRequest): boolean {
  const authorization = authorizationOf(headers)
  if (authorization !== undefined) return /^Bearer +hub_/i.test(authorization)
  return cookies.hub_session !== undefined && headers['x-mock-channel-user'] === undefined
}

async function producerOrPerson(
  authenticators: Authenticators,
  request: FastifyRequest,
): Promise<ProducerPrincipal | PersonPrincipal> {
  const authorization = authorizationOf(request.headers)
  if (authorization !== undefined) return authenticators.producer(authorization)
  const token = request.cookies.hub_session
  if (token) return authenticators.session(request, token)
  throw new ServiceError(
    'unauthenticated',
    'Credentials are missing. Send Authorization: Bearer hub_… with a producer key, or sign in to the console.',
  )
}

const refusals = {
  producer: 'A producer key may not do this. Sign in to the console and do it as a person.',
  person: 'Only a producer key may do this. Send one as Authorization: Bearer hub_….',
}

function requireAdministrative(caller: ProducerPrincipal | PersonPrincipal): void {
  if (caller.kind === 'producer' && caller.unitKind === 'administrative') return
  throw new ServiceError(
    'identity_api_forbidden',
    'Only a key of an administrative unit may use the Identity API. Ask a system administrator for one.',
  )
}

function requireSystemAdmin(caller: ProducerPrincipal | PersonPrincipal): void {
  if (caller.kind === 'person' && caller.systemAdmin) return
  throw new ServiceError('forbidden', 'Only a system administrator may do this. Ask one of them.')
}

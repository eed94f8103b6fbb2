import type { FastifyRequest } from 'fastify'
import type { AuthScheme, Endpoint } from '../../contract/endpoint.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../db/connect.ts'
import type {
  AdapterPrincipal,
  Caller,
  EventPrincipal,
  PersonPrincipal,
  Principal,
  ProducerPrincipal,
  RecipientPrincipal,
} from '../../domain/principal.ts'
import { adapterAuthenticator, type WebhookSecrets } from './adapter-signature.ts'
import { sessionPrincipal } from './console-session.ts'
import { eventPrincipal, type SigningKeys } from './event-signature.ts'
import { type ChatLogin, recipientAuthenticator } from './id-token.ts'
import { producerPrincipal } from './producer-key.ts'

/** Every door, by the scheme that opens it. What is not set up opens to nobody. */
export type Authenticators = {
  producer(authorization: string): Promise<ProducerPrincipal>
  session(request: FastifyRequest, token: string): Promise<PersonPrincipal>
  recipient?(request: FastifyRequest): Promise<RecipientPrincipal>
  /** Over the bytes as they came. */
  event(request: FastifyRequest, body: Buffer): Promise<EventPrincipal>
  /** Over the bytes as they came. */
  adapter(request: FastifyRequest, body: Buffer): Promise<AdapterPrincipal>
}

/** Who an operation is called by, from its doors. */
export type CallerOf<E> = E extends { doors: readonly (infer D)[] } ? CallerByScheme<D> : never
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

/** What opens the doors that not every installation has. */
export type AuthSettings = {
  /** Take the mock headers (CHANNEL_MOCK). */
  mock?: boolean
  /** The chat provider's sign-in, for recipients. */
  chatLogin?: ChatLogin | undefined
  /** What channels sign their webhooks with. */
  webhookSecrets?: WebhookSecrets
  /** What events may be signed with. */
  eventKeys?: SigningKeys
  /** Where people reach us from outside: sessions may change something from there. */
  publicUrl?: string | undefined
}

/** The doors of the installation. */
export function createAuthenticators(
  db: Db,
  { mock = false, chatLogin, webhookSecrets = {}, eventKeys = new Map(), publicUrl }: AuthSettings = {},
): Authenticators {
  return {
    adapter: adapterAuthenticator({ secrets: webhookSecrets, mock }),
    ...((chatLogin || mock) && { recipient: recipientAuthenticator(db, { login: chatLogin, mock }) }),
    producer: (authorization) => producerPrincipal(db, authorization),
    session: (request, token) => sessionPrincipal(db, request, token, publicUrl),
    event: async ({ headers }, body) => eventPrincipal(eventKeys, headers, body, Date.now()),
  }
}

/** Whether an operation's door is a signature over the body. */
export function isBodySigned({ doors }: Endpoint): boolean {
  return doors.includes('event') || doors.includes('adapter')
}

/**
 * Who is calling an operation whose credential stands in the headers. An Authorization header is taken at its word before
 * a cookie is looked at.
 * @throws ServiceError unauthenticated, invalid_credential, not_bound; forbidden or identity_api_forbidden where the
 * credential is good but of a kind that may not do this
 */
export async function authenticate(
  doors: Authenticators,
  request: FastifyRequest,
  endpoint: Endpoint,
): Promise<Caller> {
  if (endpoint.doors.includes('recipient')) return recipient(doors, request)
  const caller = await producerOrPerson(doors, request)
  const door: AuthScheme = caller.kind === 'producer' ? 'producer' : 'session'
  if (endpoint.administrative) requireAdministrative(caller)
  if (!endpoint.doors.includes(door)) throw new ServiceError('forbidden', refusals[caller.kind])
  if (endpoint.systemAdmin) requireSystemAdmin(caller)
  return caller
}

async function recipient(doors: Authenticators, request: FastifyRequest): Promise<RecipientPrincipal> {
  if (isOfAnotherKind(request)) {
    await producerOrPerson(doors, request)
    throw new ServiceError('forbidden', 'Only a recipient may do this, with the id token of the chat.')
  }
  if (doors.recipient) return doors.recipient(request)
  throw new ServiceError('unauthenticated', 'This installation has no sign-in for recipients.')
}

/** A producer key, or a session and nothing else: verified before it is told that it may not do this. */
function isOfAnotherKind({ headers, cookies }: FastifyRequest): boolean {
  if (headers.authorization !== undefined) return /^Bearer +hub_/i.test(headers.authorization)
  return cookies.hub_session !== undefined && headers['x-mock-channel-user'] === undefined
}

async function producerOrPerson(
  doors: Authenticators,
  request: FastifyRequest,
): Promise<ProducerPrincipal | PersonPrincipal> {
  const { authorization } = request.headers
  if (authorization !== undefined) return doors.producer(authorization)
  const token = request.cookies.hub_session
  if (token !== undefined) return doors.session(request, token)
  throw new ServiceError(
    'unauthenticated',
    'Say who you are: send Authorization: Bearer hub_… with a producer key, or sign in to the console.',
  )
}

const refusals = {
  producer: 'A producer key may not do this. A person does it, signed in to the console.',
  person: 'Only a producer key may do this.',
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
  throw new ServiceError('forbidden', 'Only a system administrator may do this.')
}

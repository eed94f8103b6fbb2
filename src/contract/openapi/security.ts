import type { AuthScheme } from '../endpoint.ts'
import { limits } from '../limits.ts'

type SecurityScheme = { description: string } & (
  | { type: 'http'; scheme: 'bearer'; bearerFormat: string }
  | { type: 'apiKey'; in: 'cookie' | 'header'; name: string }
)

/** How callers authenticate, and Carillon where it calls. The mock schemes are for installations that try Carillon out without a chat provider. */
export const securitySchemes: Record<
  AuthScheme | 'recipientMock' | 'adapterMock' | 'callback' | 'lookup',
  SecurityScheme
> = {
  producer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'hub_<id>_<secret>',
    description:
      'A producer key, for systems: `Authorization: Bearer hub_<id>_<secret>`. A system administrator ' +
      'issues it for one unit, and it is shown once. It acts for that unit only, and may be restricted ' +
      'to categories and audience dimensions.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'hub_session',
    description:
      'The console session of a person, opened by GET /v1/auth/login in a browser, or by an operator with `carillon ' +
      'session create`. It ends after twelve hours, or two without use. Requests from a browser that change something ' +
      "are accepted only from Carillon's own pages.",
  },
  recipient: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      "A recipient's ID token of the chat provider: `Authorization: Bearer <JWT>`. Its `sub` is the chat address, " +
      'which must be bound to a subject.',
  },
  recipientMock: {
    type: 'apiKey',
    in: 'header',
    name: 'x-mock-channel-user',
    description:
      'Only in installations with CHANNEL_MOCK=true, such as the demo: a chat address, in place of the ID token. It is ' +
      'read if there is no token. Elsewhere it is ignored.',
  },
  event: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Service-Signature',
    description:
      '`v1=` and the hex HMAC-SHA256 of `<X-Service-Timestamp>.<raw body>` under the secret of the signing key named in ' +
      'X-Service-Key-Id. Sign exactly the bytes that are sent. All three headers are required; the timestamp may ' +
      `differ by ${limits.timestampToleranceSeconds} seconds from the current time. Operators configure the keys.`,
  },
  adapter: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Channel-Signature',
    description:
      'The Base64 HMAC-SHA256 of the raw body under the secret of the channel. The chat provider sends the same ' +
      'signature in x-line-signature, which is read if this header is missing.',
  },
  adapterMock: {
    type: 'apiKey',
    in: 'header',
    name: 'x-mock-signature',
    description:
      'Only in installations with CHANNEL_MOCK=true, such as the demo: the value `ok`, in place of a signature. It is ' +
      'read if there is no signature that can be verified. Elsewhere it is ignored.',
  },
  callback: {
    type: 'apiKey',
    in: 'header',
    name: 'webhook-signature',
    description:
      'What Carillon sends to callbacks, by Standard Webhooks: `v1,` and the Base64 HMAC-SHA256 of `<webhook-id>.' +
      '<webhook-timestamp>.<raw body>` under the secret that POST /v1/callbacks returned.',
  },
  lookup: {
    type: 'apiKey',
    in: 'header',
    name: 'x-service-signature',
    description:
      'What Carillon sends to Lookup endpoints: as of events, over the query of a GET or the raw body of a POST, under the ' +
      'key that the endpoint was registered with.',
  },
}

/** Of a request that Carillon sends. */
export const signedBy = (scheme: 'callback' | 'lookup') => [{ [scheme]: [] }]

const mocks: Partial<Record<AuthScheme, 'recipientMock' | 'adapterMock'>> = {
  recipient: 'recipientMock',
  adapter: 'adapterMock',
}

/** The alternatives by which an operation accepts an auth scheme. */
export function securityOf(scheme: AuthScheme): Record<string, string[]>[] {
  const mock = mocks[scheme]
  return [{ [scheme]: [] }, ...(mock ? [{ [mock]: [] }] : [])]
}

import { allowedTargets, origins } from '../address-parsers.ts'
import { randomKey, randomKeys, signingKeys, signingSources } from '../key-parsers.ts'
import { baseUrl, text, webUrl } from '../parser.ts'
import { encrypted, encryptedOrigins, issuedSecret, randomBytes, strongSigningKeys } from '../rules.ts'
import type { Setting } from '../setting.ts'

/** The systems that raise events. */
export const eventSettings = {
  EVENT_SIGNING_KEYS: {
    means:
      'The keys that producers sign events with, and that sign Lookups: `keyId:secret`, separated by commas. During a ' +
      "rotation, list a producer's old and new key. Lookups are signed with the first one, unless their endpoint names " +
      'another.',
    kind: signingKeys,
    default: '',
    secret: true,
    production: strongSigningKeys,
    readBy: ['api', 'worker', 'cli'],
  },
  EVENT_SIGNING_SOURCES: {
    means:
      'The sources whose events each of these keys may send: `keyId:source+source`, separated by commas. ' +
      'For other sources the key is unknown (401). A key that is not listed may send events of every ' +
      'source; production warns about that. Every unit may bind the events of a listed source. Sources are ' +
      'percent-encoded as in the path.',
    kind: signingSources,
    default: '',
    unquoted: true,
    readBy: ['api', 'worker', 'cli'],
  },
} satisfies Record<string, Setting>

/** Sign-in, links, and the keys of the installation. */
export const accessSettings = {
  PUBLIC_URL: {
    means: 'The public address of the API, for links in mails, tracked links and sign-in.',
    kind: baseUrl,
    example: 'https://hub.example.edu',
    neededWith: ['SMTP_HOST', 'OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    production: encrypted,
    readBy: ['api', 'worker'],
  },
  OIDC_ISSUER: {
    means:
      'The identity provider of the console (OpenID Connect). Register the redirect URI `PUBLIC_URL/v1/auth/callback` ' +
      'there. Without a provider, no one can sign in.',
    kind: webUrl,
    example: 'https://login.example.edu',
    neededWith: ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    production: encrypted,
    readBy: ['api'],
  },
  OIDC_CLIENT_ID: {
    means: "Carillon's client id at the identity provider.",
    kind: text('the client id'),
    neededWith: ['OIDC_ISSUER', 'OIDC_CLIENT_SECRET'],
    readBy: ['api'],
  },
  OIDC_CLIENT_SECRET: {
    means: "Carillon's client secret at the identity provider.",
    kind: text('the client secret'),
    neededWith: ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
    secret: true,
    production: issuedSecret,
    readBy: ['api'],
  },
  SECRETS_KEY: {
    means:
      'The same for all processes. Keys derived from it sign the links in mails and tracked links, and ' +
      'encrypt the secrets of callbacks and the key that identifies suppressed addresses. Without it, ' +
      'there are no callbacks. docs/operating.md says how to change it.',
    kind: randomKey,
    neededWith: ['SMTP_HOST', 'SECRETS_KEYS_ACCEPTED'],
    secret: true,
    production: randomBytes,
    readBy: ['api', 'worker', 'cli'],
  },
  SECRETS_KEYS_ACCEPTED: {
    means:
      'Further keys, separated by commas, whose links and secrets are accepted: earlier ones, and the next one during ' +
      'a change.',
    kind: randomKeys,
    default: '',
    secret: true,
    readBy: ['api', 'worker', 'cli'],
  },
  OUTBOUND_ALLOW: {
    means:
      'Addresses that callbacks and Lookups may call although they are private or without TLS: ' +
      '`host:port`, `host:*` for every port, or a host alone for the port of the scheme (443 for https, ' +
      '80 for http), separated by commas. All others must be https at a public address.',
    kind: allowedTargets,
    default: '',
    readBy: ['api', 'worker'],
  },
  RECIPIENT_ORIGINS: {
    means:
      'Origins whose pages may call /v1/me/ from a browser (CORS): scheme, host and port without a path, separated by ' +
      'commas. Without it, only programs and pages of this origin may.',
    kind: origins,
    default: '',
    example: 'https://app.example.edu',
    production: encryptedOrigins,
    readBy: ['api'],
  },
} satisfies Record<string, Setting>

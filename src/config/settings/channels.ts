import { mailbox } from '../address-parsers.ts'
import { rsaKey } from '../key-parsers.ts'
import { flag, oneOf, text, webUrl, whole } from '../parser.ts'
import { encrypted, issuedSecret, strongSecret, switchedOff } from '../rules.ts'
import type { Setting } from '../setting.ts'

/** The chat provider (LINE Messaging API). */
export const chatSettings = {
  CHAT_BASE_URL: {
    means: 'The API of the chat provider (LINE Messaging API).',
    kind: webUrl,
    default: 'https://api.line.me',
    production: encrypted,
    readBy: ['api', 'worker'],
  },
  CHAT_CHANNEL_TOKEN: {
    means: 'The token of the channel. Without it there is no chat channel: submit returns `not_configured`.',
    kind: text('the channel access token'),
    secret: true,
    production: issuedSecret,
    readBy: ['api', 'worker'],
  },
  CHAT_CHANNEL_SECRET: {
    means:
      'The channel secret, with which the provider signs requests to `/v1/webhooks/chat`; without it, all of them ' +
      'are rejected.',
    kind: text('the channel secret'),
    secret: true,
    production: issuedSecret,
    readBy: ['api'],
  },
  CHAT_LOGIN_CHANNEL_ID: {
    means:
      "The provider's login channel, whose ID tokens identify recipients (inbox, preferences); without it, no token " +
      'is accepted. It must be under the same provider as the messaging channel: otherwise the user ids differ.',
    kind: text('the id of the login channel'),
    readBy: ['api'],
  },
  CHAT_LOGIN_CHANNEL_SECRET: {
    means:
      'The secret of the login channel; needed only for tokens of the web sign-in, which are signed with it (HS256).',
    kind: text('the secret of the login channel'),
    secret: true,
    production: issuedSecret,
    readBy: ['api'],
  },
  CHAT_LOGIN_ISSUER: {
    means: 'The issuer (`iss`) of the ID tokens.',
    kind: text('the issuer'),
    default: 'https://access.line.me',
    readBy: ['api'],
  },
  CHAT_LOGIN_JWKS_URL: {
    means: "The provider's public keys for all other ID tokens (ES256).",
    kind: webUrl,
    default: 'https://api.line.me/oauth2/v2.1/certs',
    production: encrypted,
    readBy: ['api'],
  },
  CHANNEL_MOCK: {
    means:
      'Accept `x-mock-channel-user` as an ID token and `x-mock-signature` as a signature. For testing only.',
    kind: flag,
    default: 'false',
    production: switchedOff,
    readBy: ['api'],
  },
} satisfies Record<string, Setting>

/** Where pictures that units upload are kept, and from where recipients load them (docs/design/media.md). */
export const mediaSettings = {
  MEDIA_URL: {
    means:
      'The public address from which chat and mail programs load uploaded pictures, if it is another than `PUBLIC_URL`: a ' +
      'name without cookies, or a cache in front of the API. Without both, pictures cannot be uploaded.',
    kind: webUrl,
    production: encrypted,
    readBy: ['api', 'worker'],
  },
  S3_BUCKET: {
    means:
      'The bucket of an S3-compatible store in which new pictures are kept. Without it, they are kept in Postgres.',
    kind: text('the name of a bucket'),
    readBy: ['api', 'worker'],
  },
  S3_ENDPOINT: {
    means: 'The address of the store, if it is not the one of Amazon.',
    kind: webUrl,
    production: encrypted,
    readBy: ['api', 'worker'],
  },
  S3_REGION: {
    means: 'The region of the bucket.',
    kind: text('a region'),
    default: 'us-east-1',
    readBy: ['api', 'worker'],
  },
  S3_ACCESS_KEY_ID: {
    means: 'The id of the access key of the store.',
    kind: text('the id of an access key'),
    neededWith: ['S3_BUCKET'],
    readBy: ['api', 'worker'],
  },
  S3_SECRET_ACCESS_KEY: {
    means:
      'The secret of that key. It needs the rights to read, write and delete objects of the bucket, and no others.',
    kind: text('the secret of the access key'),
    secret: true,
    production: issuedSecret,
    neededWith: ['S3_BUCKET'],
    readBy: ['api', 'worker'],
  },
} satisfies Record<string, Setting>

/** The conversational assistant, which hands conversations to people (docs/api/handoffs.md). */
export const assistantSettings = {
  AVATAR_WEBHOOK_SECRET: {
    means:
      'The secret that signs requests to `/v1/webhooks/avatar` (conversations that the assistant hands over); without it, ' +
      'all of them are rejected.',
    kind: text('the secret'),
    secret: true,
    production: strongSecret,
    readBy: ['api'],
  },
  AVATAR_UNIT: {
    means:
      'The unit whose members answer for the assistant, by its id or its name. Without it, the webhook ' +
      'of the assistant answers `not_configured`.',
    kind: text('the id or the name of a unit'),
    neededWith: ['AVATAR_WEBHOOK_SECRET'],
    readBy: ['api', 'worker'],
  },
} satisfies Record<string, Setting>

/** The mail server. */
export const mailSettings = {
  SMTP_HOST: {
    means: 'The mail server. Without it there is no e-mail channel: submit returns `not_configured`.',
    kind: text('the name or address of the mail server'),
    readBy: ['api', 'worker'],
  },
  SMTP_PORT: {
    means: 'The port of the mail server.',
    kind: whole(1, 65_535),
    default: '587',
    readBy: ['api', 'worker'],
  },
  SMTP_SECURITY: {
    means:
      '`starttls` (required: mail is never sent unencrypted), `tls` (from the first byte) or `none`. In production, ' +
      '`none` gives a warning, and is rejected with SMTP_PASSWORD unless the mail server is on this machine.',
    kind: oneOf('none', 'starttls', 'tls'),
    default: 'starttls',
    readBy: ['api', 'worker'],
  },
  SMTP_USER: {
    means: 'The user at the mail server, if it requires one.',
    kind: text('the name of the user'),
    readBy: ['api', 'worker'],
  },
  SMTP_PASSWORD: {
    means: 'The password of SMTP_USER.',
    kind: text('the password of SMTP_USER'),
    neededWith: ['SMTP_USER'],
    secret: true,
    production: issuedSecret,
    readBy: ['api', 'worker'],
  },
  SMTP_RATE: {
    means: 'The rate that the mail server accepts from all workers together; without it, there is no limit.',
    kind: whole(1, 100_000),
    unit: 'mails per second',
    readBy: ['api', 'worker'],
  },
  EMAIL_WEBHOOK_SECRET: {
    means:
      'The secret that signs requests to `/v1/webhooks/email` (bounces and complaints); without it, all of them are ' +
      'rejected.',
    kind: text('the secret'),
    secret: true,
    production: strongSecret,
    readBy: ['api'],
  },
  MAIL_FROM: {
    means: 'The sender of mails.',
    kind: mailbox,
    example: 'Carillon <notice@example.edu>',
    neededWith: ['SMTP_HOST'],
    readBy: ['api', 'worker'],
  },
  DKIM_DOMAIN: {
    means: 'The domain that signs mails (DKIM, RFC 6376).',
    kind: text('the domain'),
    neededWith: ['DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'],
    readBy: ['api', 'worker'],
  },
  DKIM_SELECTOR: {
    means: 'The selector of the DKIM key.',
    kind: text('the selector'),
    neededWith: ['DKIM_DOMAIN', 'DKIM_PRIVATE_KEY'],
    readBy: ['api', 'worker'],
  },
  DKIM_PRIVATE_KEY: {
    means: 'The private key that signs mails (DKIM).',
    kind: rsaKey,
    neededWith: ['DKIM_DOMAIN', 'DKIM_SELECTOR'],
    secret: true,
    readBy: ['api', 'worker'],
  },
} satisfies Record<string, Setting>

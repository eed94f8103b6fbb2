import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import type { AdapterPrincipal } from '../../domain/rights/principal.ts'

type Channel = AdapterPrincipal['channel']

/** Verifies a signature over a raw body. Throws what `Authenticators.event` and `adapter` document. */
export type VerifyBody<Caller> = (body: Buffer) => Caller

/** The secret each channel signs with. Without one, its webhook rejects every call, except in mock mode. */
export type WebhookSecrets = Partial<Record<Channel, string>>

const channels: Record<string, Channel> = {
  '/v1/webhooks/chat': 'chat',
  '/v1/webhooks/email': 'email',
  '/v1/webhooks/avatar': 'avatar',
}

/**
 * Verifies a channel's signature: Base64 of HMAC-SHA256 over the raw body (docs/api/webhooks.md), in Carillon's header
 * or in the provider's own. With `mock`, `x-mock-signature: ok` is accepted too.
 */
export function adapterAuthenticator({ secrets, mock }: { secrets: WebhookSecrets; mock: boolean }) {
  /** @throws ServiceError unauthenticated if the signature is missing, bad_signature if it is invalid */
  return (request: FastifyRequest): VerifyBody<AdapterPrincipal> => {
    const channel = channels[request.routeOptions.url ?? '']
    const secret = channel && secrets[channel]
    const { headers } = request
    const signature = headers['x-channel-signature'] ?? headers['x-line-signature']
    if (!channel) throw new ServiceError('unauthenticated', 'This installation has no such channel.')
    if (typeof signature === 'string' && secret !== undefined)
      return (body) => {
        if (isSignedWith(secret, signature, body)) return { kind: 'adapter', channel }
        throw new ServiceError(
          'bad_signature',
          'The signature does not match the body. Sign the raw bytes with the channel secret.',
        )
      }
    if (mock && headers['x-mock-signature'] === 'ok') return () => ({ kind: 'adapter', channel })
    if (mock && headers['x-mock-signature'] !== undefined)
      throw new ServiceError('bad_signature', 'Invalid mock signature. Send X-Mock-Signature: ok.')
    throw new ServiceError(
      'unauthenticated',
      secret === undefined
        ? 'No webhook secret is configured for this channel, so its calls are rejected. Ask the operator to set one.'
        : 'Sign the body: X-Channel-Signature is the Base64 HMAC-SHA256 under the channel secret.',
    )
  }
}

function isSignedWith(secret: string, signature: string, body: Buffer): boolean {
  const actual = Buffer.from(signature)
  const right = Buffer.from(createHmac('sha256', secret).update(body).digest('base64'))
  return actual.length === right.length && timingSafeEqual(actual, right)
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import type { AdapterPrincipal } from '../../domain/principal.ts'

type Channel = AdapterPrincipal['channel']

/** Under which secret each channel signs; without one its webhook is closed, but for mock mode. */
export type WebhookSecrets = Partial<Record<Channel, string>>

const channels: Record<string, Channel> = { '/v1/webhooks/chat': 'chat', '/v1/webhooks/email': 'email' }

/**
 * Verifies what a channel signed: Base64 of HMAC-SHA256 over the bytes as they came (docs/api/webhooks.md). The
 * provider's own header is read as well as ours. With `mock`, x-mock-signature: ok is accepted.
 */
export function adapterAuthenticator({ secrets, mock }: { secrets: WebhookSecrets; mock: boolean }) {
  /** @throws ServiceError unauthenticated without a signature, bad_signature with a wrong one */
  return async (request: FastifyRequest, body: Buffer): Promise<AdapterPrincipal> => {
    const channel = channels[request.routeOptions.url ?? '']
    const secret = channel && secrets[channel]
    const { headers } = request
    const signature = headers['x-channel-signature'] ?? headers['x-line-signature']
    if (!channel) throw new ServiceError('unauthenticated', 'This installation has no such channel.')
    if (typeof signature === 'string' && secret !== undefined) {
      if (isSignedWith(secret, signature, body)) return { kind: 'adapter', channel }
      throw new ServiceError('bad_signature', 'The signature does not fit these bytes and our secret.')
    }
    if (mock && headers['x-mock-signature'] === 'ok') return { kind: 'adapter', channel }
    if (mock && headers['x-mock-signature'] !== undefined)
      throw new ServiceError('bad_signature', 'A mock signature says: ok.')
    throw new ServiceError(
      'unauthenticated',
      secret === undefined
        ? 'This installation takes no calls of this channel: it has no secret to check them with.'
        : 'Sign the body: X-Channel-Signature, Base64 of HMAC-SHA256 under the channel secret.',
    )
  }
}

function isSignedWith(secret: string, signature: string, body: Buffer): boolean {
  const given = Buffer.from(signature)
  const right = Buffer.from(createHmac('sha256', secret).update(body).digest('base64'))
  return given.length === right.length && timingSafeEqual(given, right)
}

import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { mayRaise, type SigningKeys, type SigningSources } from '../../domain/event/signing-sources.ts'
import type { EventPrincipal } from '../../domain/rights/principal.ts'
import { serviceSignature, sha256 } from '../../signing.ts'

/**
 * Who may sign events, and of which sources: the keys of the settings, and after them those that were issued. `issued`:
 * the secret of such a key, if it may sign events of this source.
 */
export type EventSigning = {
  keys: SigningKeys
  sources: SigningSources
  issued?: (keyId: string, source: string) => Promise<string | undefined>
}

/** A request before its body has arrived; `source` is that of its path. */
type Request = { source: string; headers: IncomingHttpHeaders }

/** What a request says of its signature, and the secret of its key. */
type Signed = { keyId: string; timestamp: string; signature: string; secret: string }

/**
 * The headers of a signed event, and the secret of its key. Needs no body. A key that may not sign events of the source
 * of the path counts as unknown.
 * @throws ServiceError unauthenticated, unknown_key
 */
export async function requireSigningKey(
  signing: EventSigning,
  { source, headers }: Request,
): Promise<Signed> {
  const signed = readHeaders(headers)
  const secret = await secretOf(signing, signed.keyId, source)
  if (secret !== undefined) return { ...signed, secret }
  throw new ServiceError(
    'unknown_key',
    'No signing key of this source has this X-Service-Key-Id. Check the header and the source in the path, or ask a ' +
      'system administrator for a key.',
  )
}

async function secretOf({ keys, sources, issued }: EventSigning, keyId: string, source: string) {
  if (keys.has(keyId)) return mayRaise(sources, keyId, source) ? keys.get(keyId) : undefined
  return issued?.(keyId, source)
}

/**
 * The system behind a signed event. Checks the signature over the raw body, and then the timestamp, in the order of
 * docs/api/events.md. `now` in ms.
 * @throws ServiceError bad_signature, stale_timestamp
 */
export function eventPrincipal(
  { keyId, timestamp, signature, secret }: Signed,
  body: Buffer,
  now: number,
): EventPrincipal {
  if (!equal(signature, serviceSignature(secret, timestamp, body)))
    throw new ServiceError(
      'bad_signature',
      'X-Service-Signature is not v1=<hex HMAC-SHA256 of timestamp.rawBody> under the secret of this key.',
    )
  if (isStale(timestamp, now))
    throw new ServiceError(
      'stale_timestamp',
      `X-Service-Timestamp must be in Unix seconds and within ${limits.timestampToleranceSeconds} s of the time of this ` +
        `server, which is ${Math.floor(now / 1_000)}.`,
    )
  return { kind: 'event', keyId, signature: sha256(signature) }
}

function readHeaders(headers: IncomingHttpHeaders) {
  const {
    'x-service-key-id': keyId,
    'x-service-timestamp': timestamp,
    'x-service-signature': signature,
  } = headers
  if (typeof keyId === 'string' && typeof timestamp === 'string' && typeof signature === 'string')
    if (keyId && timestamp && signature) return { keyId, timestamp, signature }
  throw new ServiceError(
    'unauthenticated',
    'Sign the event: send X-Service-Key-Id, X-Service-Timestamp and X-Service-Signature.',
  )
}

function equal(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Compares whole seconds, the precision of the header. */
function isStale(timestamp: string, now: number): boolean {
  if (!/^\d{1,15}$/.test(timestamp)) return true
  return Math.abs(Math.floor(now / 1_000) - Number(timestamp)) > limits.timestampToleranceSeconds
}

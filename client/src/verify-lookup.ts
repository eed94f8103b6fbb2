import { CarillonError } from './error.ts'
import type { SigningKey } from './send-event.ts'

/**
 * A Lookup as it arrived. `url`: absolute, or as on the request line; it must not have been decoded. `body`: that of a
 * POST, raw.
 */
export type LookupRequest = {
  method: string
  url: string
  headers: Headers | Record<string, string | string[] | undefined>
  body?: string | Uint8Array
}

/** What Carillon asks. `subject`: its id of the person; `variables`: a GET has texts, and JSON of all other values. */
export type Lookup = { keyId: string; subject: string; variables: Record<string, unknown> }

/** In seconds, as Carillon's own for events. Older requests may be replays. */
const tolerance = 300

/**
 * Verifies the signature and age of a Lookup and returns what it asks. `keys`: those that the endpoint may be called
 * with. Answer 401 if it throws.
 * @throws CarillonError unknown_key, stale_timestamp, bad_signature, not_a_lookup; status 0
 */
export async function verifyLookup(
  keys: SigningKey | readonly SigningKey[],
  { method, url, headers, body = '' }: LookupRequest,
): Promise<Lookup> {
  const [keyId, timestamp, signature] = ['key-id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `x-service-${name}`),
  ) as [string, string, string]
  const key = [keys].flat().find(({ id }) => id === keyId)
  if (!key) throw refused('unknown_key', `There is no key ${keyId}.`)
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1_000 - Number(timestamp)) > tolerance)
    throw refused('stale_timestamp', `The timestamp is not within ${tolerance} seconds of the current time.`)

  const isGet = method.toUpperCase() === 'GET'
  const query = url.replace(/#.*$/s, '').replace(/^[^?]*\??/, '')
  const content = isGet ? query : body
  if (!(await isSigned(key.secret, timestamp, signature, content)))
    throw refused('bad_signature', `The signature does not match the ${isGet ? 'query' : 'body'}.`)

  const asked = isGet ? Object.fromEntries(new URLSearchParams(query)) : objectIn(body)
  const { subject, ...variables } = asked
  if (typeof subject !== 'string')
    throw refused('not_a_lookup', 'The request has no subject: it is no Lookup.')
  return { keyId, subject, variables }
}

function headerOf(headers: LookupRequest['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? ''
  const [, value] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : ''
}

/** Whether the signature is `v1=` and the hex HMAC-SHA256 of `timestamp.content`; compared in constant time. */
async function isSigned(
  secret: string,
  timestamp: string,
  signature: string,
  content: string | Uint8Array,
): Promise<boolean> {
  const [, hex] = /^v1=([0-9a-f]{64})$/.exec(signature) ?? []
  if (hex === undefined) return false
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify'])
  const digest = Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16))
  const [start, rest] = [encoder.encode(`${timestamp}.`), bytesOf(content)]
  const signed = new Uint8Array(start.length + rest.length)
  signed.set(start)
  signed.set(rest, start.length)
  return crypto.subtle.verify('HMAC', key, digest, signed)
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}

/** The JSON object of a body; empty if it is something else. */
function objectIn(body: string | Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function refused(code: string, message: string): CarillonError {
  return new CarillonError(message, { code, status: 0 })
}

import { CarillonError } from './error.ts'
import { assertSecret, rawContent } from './raw-content.ts'
import type { SigningKey } from './send-event.ts'

/**
 * What Carillon asks. `subject`: its id of the person; `uid`: theirs, where a system administrator has registered the
 * endpoint for it; `variables`: a GET has texts, and JSON of all other values.
 */
export type Lookup = { keyId: string; subject: string; uid?: string; variables: Record<string, unknown> }

/**
 * Where a Lookup has arrived. `url`: the whole address, as the node of the scenario names it; the query of a GET is
 * ignored.
 */
export type LookupTarget = { method: string; url: string | URL }

/** In seconds, as Carillon's own for events. Older requests may be replays. */
const tolerance = 300

/**
 * Verifies the signature and age of a Lookup and returns what it asks. `keys`: those that the endpoint may be called with.
 * `content`: what is signed, as it arrived: the query of a GET, not decoded, or the raw body of a POST. `arrivedAt`: your
 * own method and address; where it is given, a Lookup that was signed for another one, or for none, is refused. Answer
 * 401 if it throws.
 * @throws CarillonError unknown_key, stale_timestamp, bad_signature, wrong_target, not_a_lookup; status 0
 *
 * @example
 * const content = request.method === 'GET' ? new URL(request.url).search : await request.text()
 * const { subject, variables } = await verifyLookup({ id: 'sis', secret }, request.headers, content, request)
 */
export async function verifyLookup(
  keys: SigningKey | readonly SigningKey[],
  headers: Headers | Record<string, string | string[] | undefined>,
  content: string | Uint8Array,
  arrivedAt?: LookupTarget,
): Promise<Lookup> {
  for (const { secret } of [keys].flat()) assertSecret(secret, 'The secret of a signing key')
  const text = rawContent(content).replace(/^\?/, '')
  const [keyId, timestamp, signature, target, targetSignature] = [
    ...['key-id', 'timestamp', 'signature', 'target', 'target-signature'],
  ].map((name) => headerOf(headers, `x-service-${name}`)) as [string, string, string, string, string]
  const key = [keys].flat().find(({ id }) => id === keyId)
  if (!key) throw refused('unknown_key', 'The request is signed with none of the keys that were given.')
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1_000 - Number(timestamp)) > tolerance)
    throw refused('stale_timestamp', `The timestamp is not within ${tolerance} seconds of the current time.`)

  if (!(await isSigned(key.secret, signature, `${timestamp}.${text}`)))
    throw refused('bad_signature', 'The signature does not match the content: pass it as it arrived.')
  if (arrivedAt) {
    if (!(await isSigned(key.secret, targetSignature, `${timestamp}.${signature}.${target}`)))
      throw refused('wrong_target', 'The request is not signed with its method and address.')
    if (target !== targetOf(arrivedAt))
      throw refused('wrong_target', 'The request is signed for another method or address than it arrived at.')
  }

  // A query never begins with a brace: in a query it is %7B.
  const fields = text.startsWith('{') ? objectIn(text) : Object.fromEntries(new URLSearchParams(text))
  const { subject, uid, ...variables } = fields
  if (typeof subject !== 'string')
    throw refused('not_a_lookup', 'The request has no subject: it is no Lookup.')
  return { keyId, subject, ...(typeof uid === 'string' && { uid }), variables }
}

/** Method and address, as Carillon signs them. */
function targetOf({ method, url }: LookupTarget): string {
  if (!URL.canParse(String(url)))
    throw new TypeError('arrivedAt.url must be the whole address, such as https://sis.example.edu/orders.')
  const { origin, pathname, search } = new URL(url)
  const name = method.toUpperCase()
  return `${name} ${origin}${pathname}${name === 'GET' ? '' : search}`
}

function headerOf(headers: Headers | Record<string, string | string[] | undefined>, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? ''
  const [, value] = Object.entries(headers).find(([header]) => header.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : ''
}

/** Whether the signature is `v1=` and the hex HMAC-SHA256 of `text`; compared in constant time. */
async function isSigned(secret: string, signature: string, text: string): Promise<boolean> {
  const [, hex] = /^v1=([0-9a-f]{64})$/.exec(signature) ?? []
  if (hex === undefined) return false
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify'])
  const digest = Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16))
  return crypto.subtle.verify('HMAC', key, digest, encoder.encode(text))
}

/** The JSON object of a body; empty if it is something else. */
function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function refused(code: string, message: string): CarillonError {
  return new CarillonError(message, { code, status: 0 })
}

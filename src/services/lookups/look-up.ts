import type { LookupError } from '../../contract/enums.ts'
import { fieldsOfAnswer, lookupAnswerFault, type RefusedField } from '../../domain/scenario/lookup-answer.ts'
import { serviceSignature, targetSignature } from '../../signing.ts'
import type { AskResult } from '../outbound/ask.ts'
import type { Outbound } from '../outbound/outbound.ts'

/** A key that signs events and Lookups. */
export type SigningKey = { id: string; secret: string }

/**
 * A call of a producer's endpoint. `subject`: Carillon's id of the person; `uid`: theirs, by POST alone to an endpoint that
 * gets it; `variables`: those that the node names.
 */
export type LookupCall = {
  method: 'GET' | 'POST'
  url: string
  subject: string
  uid?: string | undefined
  variables: Record<string, unknown>
  key: SigningKey
}

/**
 * The result of a Lookup. `fields`: what becomes variables; `dropped`: how many of them are null because they were refused;
 * `refused`: which, and why. Omitted: none.
 */
export type LookedUp =
  | { outcome: 'found'; fields: Record<string, unknown>; dropped: number; refused?: RefusedField[] }
  | { outcome: LookupError }

/**
 * Asks a producer's endpoint once, signed as events are (docs/api/lookups.md). The answer must be 2xx and a JSON object
 * within the limits of time and size; everything else is a Lookup error. Never throws, and repeats nothing.
 */
export async function lookUp(
  { ask }: Pick<Outbound, 'ask'>,
  { method, url, subject, uid, variables, key }: LookupCall,
): Promise<LookedUp> {
  const address = new URL(url)
  if (method === 'GET') address.search = queryOf(address, { subject, ...variables })
  const named = uid === undefined ? { subject } : { subject, uid }
  const body = method === 'GET' ? undefined : JSON.stringify({ ...variables, ...named })
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const signature = serviceSignature(key.secret, timestamp, body ?? address.search.slice(1))
  const target = targetOf(method, address)
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'Carillon',
    'x-service-key-id': key.id,
    'x-service-timestamp': timestamp,
    'x-service-signature': signature,
    'x-service-target': target,
    'x-service-target-signature': targetSignature(key.secret, { timestamp, signature, target }),
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
  }
  return lookedUp(await ask(address.href, { method, headers, ...(body !== undefined && { body }) }))
}

/**
 * Method and address of a call, as they are signed. Without the query of a GET, which is signed as its content, and which
 * may be so long that a second one would not fit into the headers.
 */
function targetOf(method: LookupCall['method'], { origin, pathname, search }: URL): string {
  return `${method} ${origin}${pathname}${method === 'GET' ? '' : search}`
}

/** The query of a URL, followed by these values: texts as they are, everything else as JSON. */
function queryOf({ search }: URL, values: Record<string, unknown>): string {
  const pairs = Object.entries(values).map(
    ([name, value]) =>
      `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
  )
  return [search.slice(1), ...pairs].filter((part) => part !== '').join('&')
}

const errorOf = {
  address_refused: 'network',
  no_connection: 'network',
  timeout: 'timeout',
  too_large: 'size',
} as const

function lookedUp(result: AskResult): LookedUp {
  if (result.code !== null) return { outcome: errorOf[result.code] }
  if (result.status < 200 || result.status > 299) return { outcome: 'status' }
  const answer = result.body && objectIn(result.body)
  if (!answer) return { outcome: 'shape' }
  const { fields, refused } = fieldsOfAnswer(answer)
  const dropped = refused.length
  return { outcome: 'found', fields, dropped, ...(dropped > 0 && { refused }) }
}

/** The JSON object of an answer; null if it is something else, or has what cannot be kept. */
function objectIn(body: Buffer): Record<string, unknown> | null {
  const value = parse(body)
  return lookupAnswerFault(value) === null ? { ...(value as object) } : null
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

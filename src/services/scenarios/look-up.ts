import type { LookupError } from '../../contract/enums.ts'
import { lookupAnswerFault } from '../../domain/scenario/lookup-answer.ts'
import { acceptedFields } from '../../domain/scenario/values.ts'
import { serviceSignature } from '../../signing.ts'
import type { Asked } from '../outbound/ask.ts'
import type { Outbound } from '../outbound/outbound.ts'

/** A key that signs events and Lookups. */
export type SigningKey = { id: string; secret: string }

/** A call of a producer's endpoint. `subject`: Carillon's id of the person; `variables`: those that the node names. */
export type LookupCall = {
  method: 'GET' | 'POST'
  url: string
  subject: string
  variables: Record<string, unknown>
  key: SigningKey
}

/** The result of a Lookup. `fields`: what becomes variables; `dropped`: how many others had reserved names. */
export type LookedUp =
  | { outcome: 'found'; fields: Record<string, unknown>; dropped: number }
  | { outcome: LookupError }

/**
 * Asks a producer's endpoint once, signed as events are (docs/api/lookups.md). The answer must be 2xx and a JSON object
 * within the limits of time and size; everything else is a Lookup error. Never throws, and repeats nothing.
 */
export async function lookUp(
  { ask }: Pick<Outbound, 'ask'>,
  { method, url, subject, variables, key }: LookupCall,
): Promise<LookedUp> {
  const target = new URL(url)
  if (method === 'GET') target.search = queryOf(target, { subject, ...variables })
  const body = method === 'GET' ? undefined : JSON.stringify({ subject, ...variables })
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'Carillon',
    'x-service-key-id': key.id,
    'x-service-timestamp': timestamp,
    'x-service-signature': serviceSignature(key.secret, timestamp, body ?? target.search.slice(1)),
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
  }
  return lookedUp(await ask(target.href, { method, headers, ...(body !== undefined && { body }) }))
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

function lookedUp(asked: Asked): LookedUp {
  if (asked.code !== null) return { outcome: errorOf[asked.code] }
  if (asked.status < 200 || asked.status > 299) return { outcome: 'status' }
  const answer = asked.body && objectIn(asked.body)
  if (!answer) return { outcome: 'shape' }
  const { accepted, dropped } = acceptedFields(answer)
  return { outcome: 'found', fields: accepted, dropped }
}

/** The JSON object of an answer; null if it is something else, or has what cannot be kept as it is. */
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

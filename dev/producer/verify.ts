import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The tolerance of a signature's time (s). */
const toleranceSeconds = 300

/**
 * A Lookup as it arrived. `content`: the query of a GET as on the request line, or the raw body of a POST. `target`: its
 * method and address, without the query of a GET.
 */
export type ArrivedLookup = { headers: IncomingHttpHeaders; content: string | Buffer; target: string }

/**
 * Why a Lookup must not be answered; null if Carillon signed it, for this address. A producer's own check, which shares no
 * code with Carillon (docs/api/lookups.md). What a caller signs by hand may go without a target.
 */
export function refusalOf(
  keys: ReadonlyMap<string, string>,
  { headers, content, target }: ArrivedLookup,
): string | null {
  const headerOf = (name: string) => String(headers[`x-service-${name}`] ?? '')
  const [keyId, timestamp, signature] = [headerOf('key-id'), headerOf('timestamp'), headerOf('signature')]
  const secret = keys.get(keyId)
  if (secret === undefined) return 'unknown key'
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds)
    return 'stale'
  const isSigned = (by: string, signed: string | Buffer) => {
    const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(signed).digest('hex')
    const [one, other] = [Buffer.from(by), Buffer.from(`v1=${digest}`)]
    return one.length === other.length && timingSafeEqual(one, other)
  }
  if (!isSigned(signature, content)) return 'bad signature'
  if (headers['x-service-target'] === undefined) return null
  const forTarget = isSigned(headerOf('target-signature'), `${signature}.${headerOf('target')}`)
  return forTarget && headerOf('target') === target ? null : 'wrong target'
}

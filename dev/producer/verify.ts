import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The tolerance of a signature's time (s). */
const toleranceSeconds = 300

/**
 * Why a Lookup must not be answered; null if Carillon signed it. A producer's own check, which shares no code with
 * Carillon (docs/api/lookups.md). `content`: the query of a GET as on the request line, or the raw body of a POST.
 */
export function refusalOf(
  keys: ReadonlyMap<string, string>,
  headers: IncomingHttpHeaders,
  content: string | Buffer,
): string | null {
  const [keyId, timestamp, signature] = ['key-id', 'timestamp', 'signature'].map((name) =>
    String(headers[`x-service-${name}`] ?? ''),
  )
  const secret = keys.get(keyId!)
  if (secret === undefined) return 'unknown key'
  if (!/^\d+$/.test(timestamp!) || Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds)
    return 'stale'
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(content).digest('hex')
  const [given, expected] = [Buffer.from(signature!), Buffer.from(`v1=${digest}`)]
  return given.length === expected.length && timingSafeEqual(given, expected) ? null : 'bad signature'
}

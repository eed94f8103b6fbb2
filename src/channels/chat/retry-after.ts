/**
 * How long a Retry-After header asks to wait, in ms from `now`: seconds or an HTTP date (RFC 9110, 10.2.3). Undefined
 * if it is missing or invalid; 0 for a date in the past.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1_000
  const moment = Date.parse(header)
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now)
}

/**
 * How long a Retry-After header asks to wait, in ms from `now`: seconds or an HTTP date (RFC 9110, 10.2.3). Undefined
 * where there is none or it cannot be read; a moment that has passed is 0.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1_000
  const moment = Date.parse(header)
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now)
}

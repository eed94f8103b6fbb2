/** Whether a message has expired at `now`; it has at `expiresAt` itself. Times are ms since the epoch; null: never. */
export function isExpired(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && now >= expiresAt
}

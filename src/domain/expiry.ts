/** Is a message's time over at `now`? Its last moment is over already. Times are ms since the epoch; null: it has no end. */
export function isExpired(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && now >= expiresAt
}

const firstDelayMs = 200

/** Exponential back-off with jitter: between half and all of 200 ms × 2^tries, capped at `longestMs`. */
export function backOffMs(tries: number, random: number, longestMs: number): number {
  const full = Math.min(longestMs, firstDelayMs * 2 ** Math.min(tries, 20))
  return Math.round(full * (0.5 + random / 2))
}

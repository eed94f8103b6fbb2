import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

/** A queued fault: the calls it applies to, its effect, and how often. */
export const Fault = z.strictObject({
  /** Only calls to this endpoint; without it, all sending calls. */
  endpoint: z.enum(['push', 'multicast', 'reply']).optional(),
  /** Only calls whose recipients include this one. */
  to: z.string().optional(),
  /** Rejects the call with this status. */
  status: z.int().min(300).max(599).optional(),
  /** The body of the rejection: JSON, or a string sent unchanged. */
  body: z.union([z.string(), z.looseObject({})]).optional(),
  /** The header Retry-After: seconds or an HTTP date. */
  retryAfter: z.union([z.int().nonnegative(), z.string()]).optional(),
  /**
   * Closes the connection before the first byte of the response, or in the middle of it. Without `status`, the call is
   * accepted.
   */
  cut: z.enum(['before-reply', 'mid-reply']).optional(),
  /** Delays the response, at most until the faults are cleared; the call itself is accepted at once. */
  delayMs: z.int().nonnegative().optional(),
  times: z.int().positive().default(1),
})
export type Fault = z.infer<typeof Fault>

/** The effect of the queued faults on one call. */
export type Effect = Omit<Fault, 'endpoint' | 'to' | 'times'>

/** The queued faults, first in, first out. */
export type FaultQueue = {
  add(fault: Fault): void
  /** Takes the faults due for a call: one delay and one other fault, so that a repeated delay hides no other. */
  take(endpoint: string, to: string[]): Effect
  /** Waits as long as an effect delays a response, or until the faults are cleared. */
  delay(ms: number): Promise<void>
  list(): Fault[]
  clear(): void
}

/** An empty queue. */
export function faultQueue(): FaultQueue {
  let queued: Fault[] = []
  let cleared = new AbortController()

  const takeFirst = (matches: (fault: Fault) => boolean): Effect => {
    const fault = queued.find(matches)
    if (!fault) return {}
    fault.times -= 1
    queued = queued.filter(({ times }) => times > 0)
    const { endpoint, to, times, ...effect } = fault
    return effect
  }

  return {
    add: (fault) => queued.push({ ...fault }),
    take(endpoint, to) {
      const hits = (fault: Fault) =>
        (fault.endpoint ?? endpoint) === endpoint && (fault.to === undefined || to.includes(fault.to))
      const delay = takeFirst((fault) => hits(fault) && onlyDelays(fault))
      const other = takeFirst((fault) => hits(fault) && !onlyDelays(fault))
      return { ...other, delayMs: (delay.delayMs ?? 0) + (other.delayMs ?? 0) }
    },
    delay: (ms) => sleep(ms, undefined, { signal: cleared.signal }).catch(() => undefined),
    list: () => queued.map((fault) => ({ ...fault })),
    clear: () => {
      queued = []
      cleared.abort()
      cleared = new AbortController()
    },
  }
}

function onlyDelays({ status, cut }: Fault): boolean {
  return status === undefined && cut === undefined
}

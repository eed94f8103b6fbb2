import { z } from 'zod'

/** A fault to come: which calls it hits, what happens to them, and how often. */
export const Fault = z.strictObject({
  /** By short name; without it every sending call. */
  endpoint: z.enum(['push', 'multicast', 'reply']).optional(),
  /** Only calls that go to this recipient, alone or among others. */
  to: z.string().optional(),
  /** The call is refused with this status and not accepted. */
  status: z.int().min(300).max(599).optional(),
  /** The body of the refusal: JSON, or a string that is sent as it stands. */
  body: z.union([z.string(), z.looseObject({})]).optional(),
  /** Seconds or an HTTP date, as it shall stand in the header. */
  retryAfter: z.union([z.int().nonnegative(), z.string()]).optional(),
  /**
   * The connection ends before the first byte of the answer, or in the middle of it. Without status the call is
   * accepted.
   */
  cut: z.enum(['before-reply', 'mid-reply']).optional(),
  /** The answer is held back; what it accepts is accepted at once. */
  delayMs: z.int().nonnegative().optional(),
  times: z.int().positive().default(1),
})
export type Fault = z.infer<typeof Fault>

/** What the queued faults do to one call. */
export type Effect = Omit<Fault, 'endpoint' | 'to' | 'times'>

/** The faults to come, first in first out. */
export type FaultQueue = {
  add(fault: Fault): void
  /** Takes what is due for a call: one delay, and one other fault, so that a lasting delay hides nothing behind it. */
  take(endpoint: string, to: string[]): Effect
  list(): Fault[]
  clear(): void
}

/** An empty queue. */
export function faultQueue(): FaultQueue {
  let queued: Fault[] = []

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
    list: () => queued.map((fault) => ({ ...fault })),
    clear: () => {
      queued = []
    },
  }
}

function onlyDelays({ status, cut }: Fault): boolean {
  return status === undefined && cut === undefined
}

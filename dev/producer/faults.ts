import { z } from 'zod'

/** A queued fault of the producer: what it does with the next Lookup, and how often. */
export const ProducerFault = z.strictObject({
  /** Answers with this status instead of 200. */
  status: z.int().min(200).max(599).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** The body, sent unchanged. */
  body: z.string().optional(),
  /** The size of the answer in bytes: the usual one, filled up. */
  bytes: z.int().min(100).optional(),
  /** Compresses the answer, whatever the caller accepts. */
  compressed: z.literal(true).optional(),
  /** Waits before the answer. */
  delayMs: z.int().nonnegative().optional(),
  /** Sends the body a byte at a time, with this pause before each. */
  dripMs: z.int().positive().optional(),
  /** Closes the connection before the first byte of the answer, or in the middle of its body. */
  cut: z.enum(['before-reply', 'mid-reply']).optional(),
  times: z.int().positive().default(1),
})
export type ProducerFault = z.infer<typeof ProducerFault>

/** The effect of a fault on one call. */
export type Effect = Omit<ProducerFault, 'times'>

/** The queued faults, first in, first out. */
export function producerFaults() {
  let queued: ProducerFault[] = []
  return {
    add: (fault: ProducerFault): void => void queued.push({ ...fault }),
    /** Takes the fault that the next call meets; without one, nothing is wrong with it. */
    take(): Effect {
      const [fault] = queued
      if (!fault) return {}
      fault.times -= 1
      queued = queued.filter(({ times }) => times > 0)
      const { times, ...effect } = fault
      return effect
    },
    list: () => queued.map((fault) => ({ ...fault })),
    clear: (): void => {
      queued = []
    },
  }
}

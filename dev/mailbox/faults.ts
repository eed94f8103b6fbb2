import { z } from 'zod'

/** A queued fault: the phase in which it occurs, its effect, and how often. */
export const MailFault = z
  .strictObject({
    /** `rcpt`: after RCPT. `data`: before the end of the mail. `dot`: after the final dot. */
    phase: z.enum(['rcpt', 'data', 'dot']).default('rcpt'),
    /** Only mail to this recipient. */
    to: z.string().optional(),
    /**
     * `cut` closes the connection; after the final dot, the mail is accepted and journalled first. `status` rejects
     * with `status`. `delay` only waits. Derived from the other fields if left out.
     */
    action: z.enum(['cut', 'status', 'delay']).optional(),
    status: z.int().min(400).max(599).optional(),
    /** The text after the status; defaults to the usual one of mail servers. */
    message: z.string().optional(),
    /** Delays the reply, or the cut. */
    delayMs: z.int().nonnegative().optional(),
    times: z.int().positive().default(1),
  })
  .transform((fault) => ({ ...fault, action: fault.action ?? impliedAction(fault) }))
  .refine(({ action }) => action !== undefined, 'name the effect: action cut, a status, or delayMs')
  .refine(
    ({ action, status }) => action !== 'status' || status !== undefined,
    'action status requires a status',
  )
export type MailFault = z.output<typeof MailFault>

function impliedAction({ status, delayMs }: { status?: number; delayMs?: number }) {
  if (status !== undefined) return 'status'
  return delayMs === undefined ? undefined : 'delay'
}

/** The queued faults, first in, first out. */
export type MailFaults = {
  add(fault: MailFault): void
  /** Takes the faults due in this phase of a mail: at most one delay and one other fault. */
  take(phase: MailFault['phase'], to: string): MailFault[]
  list(): MailFault[]
  clear(): void
}

/** An empty queue. */
export function mailFaults(): MailFaults {
  let queued: MailFault[] = []
  const takeFirst = (fits: (fault: MailFault) => boolean): MailFault[] => {
    const fault = queued.find(fits)
    if (!fault) return []
    fault.times -= 1
    queued = queued.filter(({ times }) => times > 0)
    return [fault]
  }
  return {
    add: (fault) => queued.push({ ...fault }),
    take(phase, to) {
      const fits = (fault: MailFault) => fault.phase === phase && (fault.to ?? to) === to
      return [
        ...takeFirst((fault) => fits(fault) && fault.action === 'delay'),
        ...takeFirst((fault) => fits(fault) && fault.action !== 'delay'),
      ]
    },
    list: () => queued.map((fault) => ({ ...fault })),
    clear: () => {
      queued = []
    },
  }
}

/** The usual texts of mail servers. Rejections often repeat the address, which must not leave Carillon's adapter. */
export function defaultReply(status: number, to: string): string {
  const words: Record<number, string> = {
    421: '4.3.2 Service shutting down, closing transmission channel',
    450: `4.2.0 <${to}>: Recipient address rejected: Greylisted, please try again later`,
    451: `4.7.1 <${to}>: Greylisted, please try again later`,
    452: `4.2.2 <${to}>: Mailbox full`,
    454: 'Throttling failure: Maximum sending rate exceeded.',
    550: `5.1.1 <${to}>: Recipient address rejected: User unknown`,
    552: `5.2.2 <${to}>: Mailbox full`,
    554: '5.7.1 Message rejected under suspicion of spam',
  }
  return words[status] ?? (status < 500 ? '4.0.0 Try again later' : '5.0.0 Not accepted')
}

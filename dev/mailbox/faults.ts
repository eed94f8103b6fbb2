import { z } from 'zod'

/** A fault to come: where in the dialogue it strikes, what it does, and how often. */
export const MailFault = z
  .strictObject({
    /** After RCPT; in DATA, before the mail has ended; after the final dot. */
    phase: z.enum(['rcpt', 'data', 'dot']).default('rcpt'),
    /** Only mail to this recipient. */
    to: z.string().optional(),
    /**
     * `cut` ends the connection: after the final dot the mail is accepted and journalled first. `status` refuses with
     * `status`. `delay` only waits. Left out, it follows from the other fields.
     */
    action: z.enum(['cut', 'status', 'delay']).optional(),
    status: z.int().min(400).max(599).optional(),
    /** What the server says with the status; without it, what servers usually say. */
    message: z.string().optional(),
    /** The answer, or the cut, is held back this long. */
    delayMs: z.int().nonnegative().optional(),
    times: z.int().positive().default(1),
  })
  .transform((fault) => ({ ...fault, action: fault.action ?? impliedAction(fault) }))
  .refine(({ action }) => action !== undefined, 'say what happens: action cut, a status, or delayMs')
  .refine(({ action, status }) => action !== 'status' || status !== undefined, 'action status needs a status')
export type MailFault = z.output<typeof MailFault>

function impliedAction({ status, delayMs }: { status?: number; delayMs?: number }) {
  if (status !== undefined) return 'status'
  return delayMs === undefined ? undefined : 'delay'
}

/** The faults to come, first in first out. */
export type MailFaults = {
  add(fault: MailFault): void
  /** Takes what is due in this phase of a mail: at most one delay and one other fault. */
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

/** What servers usually say; a refusal often repeats the address, and that must go no further than our adapter. */
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

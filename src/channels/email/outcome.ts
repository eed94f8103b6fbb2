/** How one try to one recipient ended: what the delivery judges. */
export type { MailOutcome } from '../../domain/mail-outcome.ts'

/** Where a try ended. From `connect` to `body` the server cannot have accepted the mail: it had not seen its end yet. */
export type Phase = 'connect' | 'login' | 'sender' | 'recipient' | 'data' | 'body' | 'end'

/** A try that failed: with the server's reply, or with none because the connection failed. */
export type Failure = { phase: Phase } & ({ reply: string } | { code: SilenceCode })
export type SilenceCode = 'no_connection' | 'tls' | 'timeout' | 'cut' | 'protocol'

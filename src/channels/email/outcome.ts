import type { Outcome } from '../channel.ts'

/**
 * How one try to one recipient ended. Beside what every channel knows, mail has `deferred`: definite, and about this
 * recipient alone (greylisting, a full mailbox), so the others need not wait; it is worth another try later.
 */
export type MailOutcome =
  | Outcome
  | { kind: 'deferred'; code: string; retryAfterMs?: number; requestId?: string }

/** Where a try ended. From `connect` to `body` the server cannot have accepted the mail: it had not seen its end yet. */
export type Phase = 'connect' | 'login' | 'sender' | 'recipient' | 'data' | 'body' | 'end'

/** A try that failed: with the server's reply, or with none because the connection failed. */
export type Failure = { phase: Phase } & ({ reply: string } | { code: SilenceCode })
export type SilenceCode = 'no_connection' | 'tls' | 'timeout' | 'cut' | 'protocol'

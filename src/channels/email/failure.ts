/**
 * The phase in which a try ended. Before `end` the server cannot have accepted the mail: it has not received its end.
 */
export type Phase = 'connect' | 'login' | 'sender' | 'recipient' | 'data' | 'body' | 'end'

/** A failed try: with the server's reply, or without one because the connection failed. */
export type Failure = { phase: Phase } & ({ reply: string } | { code: NoResponseCode })
type NoResponseCode = 'no_connection' | 'tls' | 'timeout' | 'cut' | 'protocol'

/** An error of nodemailer: its own code, the command in progress, and the server's reply, if any. */
export type SmtpError = Error & { code?: string; command?: string; response?: string; originalCode?: string }

/** The phase of the rejected command, which is more exact than the phase of the step. */
const phases: Record<string, Phase> = { 'MAIL FROM': 'sender', RSET: 'sender', 'RCPT TO': 'recipient' }

const noResponseCodes: Record<string, NoResponseCode> = {
  ETIMEDOUT: 'timeout',
  ETLS: 'tls',
  EDNS: 'no_connection',
  EPROTOCOL: 'protocol',
}

/** Translates an error of nodemailer. `phase`: the phase that the step had reached. */
export function failureOf(error: SmtpError, phase: Phase): Failure {
  const { code = '', command = '', response } = error
  if (response) return { phase: phases[command] ?? (code === 'EENVELOPE' ? 'data' : phase), reply: response }
  // Rejected by nodemailer itself: expressed as the reply that a server would give.
  if (code === 'EENVELOPE') return { phase: 'recipient', reply: '553 5.1.3 invalid address' }
  if (code === 'EMESSAGE') return { phase: 'sender', reply: '552 5.3.4 message too large' }
  if (code === 'EAUTH') return { phase: 'login', reply: '535 5.7.8 authentication failed' }
  if (phase === 'connect' && /CERT|SSL|TLS|SIGNATURE/.test(error.originalCode ?? ''))
    return { phase, code: 'tls' }
  return { phase, code: noResponseCodes[code] ?? (phase === 'connect' ? 'no_connection' : 'cut') }
}

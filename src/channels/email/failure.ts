/** Where a try ended. From `connect` to `body` the server cannot have accepted the mail: it had not seen its end yet. */
export type Phase = 'connect' | 'login' | 'sender' | 'recipient' | 'data' | 'body' | 'end'

/** A try that failed: with the server's reply, or with none because the connection failed. */
export type Failure = { phase: Phase } & ({ reply: string } | { code: NoResponseCode })
export type NoResponseCode = 'no_connection' | 'tls' | 'timeout' | 'cut' | 'protocol'

/**
 * What nodemailer tells of an error: its own code, the command that was under way, and the server's reply if there
 * was one.
 */
export type SmtpError = Error & { code?: string; command?: string; response?: string; originalCode?: string }

/** The command tells where the server said no more exactly than we know ourselves. */
const phases: Record<string, Phase> = { 'MAIL FROM': 'sender', RSET: 'sender', 'RCPT TO': 'recipient' }

const silences: Record<string, NoResponseCode> = {
  ETIMEDOUT: 'timeout',
  ETLS: 'tls',
  EDNS: 'no_connection',
  EPROTOCOL: 'protocol',
}

/** An error of nodemailer's as what happened to the mail. `phase` is how far we had come. */
export function failureOf(error: SmtpError, phase: Phase): Failure {
  const { code = '', command = '', response } = error
  if (response) return { phase: phases[command] ?? (code === 'EENVELOPE' ? 'data' : phase), reply: response }
  // What nodemailer refuses by itself, in the words a server would have.
  if (code === 'EENVELOPE')
    return { phase: 'recipient', reply: '553 5.1.3 not an address that can be mailed' }
  if (code === 'EMESSAGE') return { phase: 'sender', reply: '552 5.3.4 larger than the server takes' }
  if (code === 'EAUTH') return { phase: 'login', reply: '535 5.7.8 no way to log in' }
  if (phase === 'connect' && /CERT|SSL|TLS|SIGNATURE/.test(error.originalCode ?? ''))
    return { phase, code: 'tls' }
  return { phase, code: silences[code] ?? (phase === 'connect' ? 'no_connection' : 'cut') }
}

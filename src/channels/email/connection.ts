import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { type Failure, failureOf, type Phase, type SmtpError } from './failure.ts'
import { type MailSession, openSession } from './session.ts'

/** The SMTP server. `security`: `starttls` requires STARTTLS, `tls` uses TLS from the first byte. */
export type MailServer = {
  host: string
  port: number
  security: 'none' | 'starttls' | 'tls'
  login?: { user: string; password: string }
  /** Per step: connecting, login, one mail (ms). RFC 5321, 4.5.3.2 allows minutes, which would block a lane. */
  timeoutMs?: number
}

const defaultTimeoutMs = 60_000
const longestConnectMs = 10_000
/** Opens a session: connects, greets, secures and logs in. The dialogue on it is ours (session.ts). */
export async function connectMail(server: MailServer): Promise<MailSession | Failure> {
  const { host, port, security, login, timeoutMs = defaultTimeoutMs } = server
  const connectMs = Math.min(timeoutMs, longestConnectMs)
  const smtp = new SMTPConnection({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
  })
  smtp.on('error', () => {}) // the current step reports it to its caller
  let offers = ''
  const failed =
    (await step('connect', smtp, timeoutMs, (done) => {
      smtp.once('error', done)
      smtp.connect((error) => {
        offers = smtp.lastServerResponse || '' // to EHLO, the last one before the login
        done(error)
      })
    })) ??
    (login &&
      (await step('login', smtp, timeoutMs, (done) => smtp.login({ ...login, pass: login.password }, done))))
  if (failed) {
    smtp.close()
    return failed
  }
  const socket = smtp._socket
  if (!socket) return { phase: 'connect', code: 'cut' }
  // From here on nodemailer does not read what the server says.
  socket.removeAllListeners('data').setTimeout(0)
  const size = /^250[ -]SIZE(?: (\d{1,15}))?\b/im.exec(offers)
  return openSession(socket, {
    inGroups: /^250[ -]PIPELINING\b/im.test(offers),
    size: size && { most: Number(size[1] ?? 0) },
    timeoutMs,
  })
}

/** One step of the SMTP dialogue: undefined on success. After `timeoutMs` the step fails and the session is closed. */
function step(
  phase: Phase,
  smtp: SMTPConnection,
  timeoutMs: number,
  run: (done: (error?: SmtpError | null) => void) => void,
): Promise<Failure | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve({ phase, code: 'timeout' })
      smtp.close()
    }, timeoutMs)
    run((error) => {
      clearTimeout(timer)
      resolve(error ? failureOf(error, phase) : undefined)
    })
  })
}

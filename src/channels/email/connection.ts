import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { type Failure, failureOf, type Phase, type SmtpError } from './failure.ts'

/** The SMTP server. `security`: `starttls` requires STARTTLS, `tls` uses TLS from the first byte. */
export type MailServer = {
  host: string
  port: number
  security: 'none' | 'starttls' | 'tls'
  login?: { user: string; password: string }
  /** Per step: connecting, login, one mail (ms). RFC 5321, 4.5.3.2 allows minutes, which would block a lane. */
  timeoutMs?: number
}

/** One session with the server; one mail at a time. */
export type MailConnection = {
  /** Sends one mail to one recipient: the server's reply, or how it failed. Never throws for server errors. */
  send(mail: { from: string; to: string; bytes: Buffer }): Promise<{ accepted: string } | Failure>
  /** False once either side has ended the session. */
  readonly open: boolean
  /** Mails tried so far. */
  readonly tried: number
  close(): void
}

const defaultTimeoutMs = 60_000
const longestConnectMs = 10_000
/** How long a server may take to answer QUIT. */
const quitTimeoutMs = 1_000

/** Opens a session: connects, greets, secures and logs in. */
export async function connectMail(server: MailServer): Promise<MailConnection | Failure> {
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
  const failed =
    (await step('connect', smtp, timeoutMs, (done) => {
      smtp.once('error', done)
      smtp.connect(done)
    })) ??
    (login &&
      (await step('login', smtp, timeoutMs, (done) => smtp.login({ ...login, pass: login.password }, done))))
  if (failed) {
    smtp.close()
    return failed
  }
  return session(smtp, timeoutMs)
}

function session(smtp: SMTPConnection, timeoutMs: number): MailConnection {
  let tried = 0
  let unfinished = false // a rejected envelope leaves the server's mail transaction open
  return {
    async send({ from, to, bytes }) {
      tried += 1
      if (unfinished) {
        const failed = await step('sender', smtp, timeoutMs, (done) => smtp.reset(done))
        if (failed) return failed
        unfinished = false
      }
      const mail = new DelayedEndMail(
        bytes,
        () => smtp._socket !== false && smtp._socket?.readableEnded === true,
      )
      let reply = ''
      const failed = await step(
        () => mail.phase,
        smtp,
        timeoutMs,
        (done) => {
          smtp.send({ from, to, size: bytes.length }, mail, (error, info) => {
            reply = info?.response ?? ''
            done(error)
          })
        },
      )
      if (!failed) return { accepted: reply }
      unfinished = failed.phase !== 'end'
      return failed
    },
    get open() {
      return !smtp.destroyed
    },
    get tried() {
      return tried
    },
    close() {
      if (smtp.destroyed) return
      smtp.quit()
      setTimeout(() => smtp.close(), quitTimeoutMs).unref()
    },
  }
}

/** One step of the SMTP dialogue: undefined on success. After `timeoutMs` the step fails and the session is closed. */
function step(
  phase: Phase | (() => Phase),
  smtp: SMTPConnection,
  timeoutMs: number,
  run: (done: (error?: SmtpError | null) => void) => void,
): Promise<Failure | undefined> {
  const phaseNow = () => (typeof phase === 'string' ? phase : phase())
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve({ phase: phaseNow(), code: 'timeout' })
      smtp.close()
    }, timeoutMs)
    run((error) => {
      clearTimeout(timer)
      resolve(error ? failureOf(error, phaseNow()) : undefined)
    })
  })
}

/**
 * A mail whose end is sent only after the socket has been polled once more: a server that has hung up by then cannot
 * have accepted the mail, so the outcome is certain.
 */
class DelayedEndMail extends Readable {
  phase: Phase = 'recipient'
  readonly #bytes: Buffer
  readonly #hungUp: () => boolean

  constructor(bytes: Buffer, hungUp: () => boolean) {
    super()
    this.#bytes = bytes
    this.#hungUp = hungUp
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T): T {
    this.phase = 'body'
    destination.write(this.#bytes)
    afterNextPoll(() => {
      if (this.destroyed || this.#hungUp()) return
      this.phase = 'end'
      destination.end()
    })
    return destination
  }
}

/** The first `setImmediate` ends the current turn of the event loop; sockets are polled before the second. */
function afterNextPoll(next: () => void): void {
  setImmediate(() => setImmediate(next))
}

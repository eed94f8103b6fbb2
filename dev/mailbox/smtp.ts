import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { type MailFault, type MailFaults, usualWords } from './faults.ts'
import type { MailStore } from './store.ts'

const largestMail = 25 * 1024 * 1024

/** A mail server that takes everything for everybody, but for the faults it was told of. */
export function mailServer(store: MailStore, faults: MailFaults): SMTPServer {
  const sockets = new Map<number, Socket>()
  const cut = ({ remotePort }: SMTPServerSession) => sockets.get(remotePort)?.destroy()

  /** Waits, and answers what else happens: nothing, a refusal, or the end of the connection. */
  const strike = async (phase: MailFault['phase'], to: string): Promise<'cut' | Refusal | undefined> => {
    const due = faults.take(phase, to)
    for (const { delayMs } of due) if (delayMs) await sleep(delayMs)
    const fault = due.find(({ action }) => action !== 'delay')
    if (fault?.action === 'status') return new Refusal(fault, to)
    return fault && 'cut'
  }

  const server = new SMTPServer({
    name: 'mailbox.localhost',
    banner: 'Carillon mailbox',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: true, // they stand in our own words where a fault needs them
    size: largestMail,
    closeTimeout: 500,
    maxAllowedUnauthenticatedCommands: Number.MAX_SAFE_INTEGER,

    async onRcptTo({ address }, session, done) {
      const fault = await strike('rcpt', address)
      if (fault === 'cut') return cut(session)
      done(fault)
      if (fault?.responseCode === 421) setImmediate(() => cut(session))
    },

    async onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      const inData = await strike('data', to[0]!)
      if (inData === 'cut') {
        stream.on('error', () => {})
        return void setImmediate(() => cut(session)) // "go ahead" has been said, nothing of the mail was read
      }
      const raw = Buffer.concat(await stream.toArray())
      const fault = inData ?? (await strike('dot', to[0]!))
      if (fault instanceof Refusal) return done(fault)
      const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : ''
      const item = store.accept({ from, to, raw, replied: fault !== 'cut' })
      if (fault === 'cut') cut(session)
      else done(null, `2.0.0 Ok: queued as ${item.seq.toString(36).toUpperCase().padStart(8, '0')}`)
    },
  })
  server.on('error', () => {}) // a client that hangs up is its own affair
  server.server.on('connection', (socket: Socket) => {
    const port = socket.remotePort!
    sockets.set(port, socket)
    socket.once('close', () => sockets.delete(port))
  })
  return server
}

/** A refusal as the server module takes it. */
class Refusal extends Error {
  readonly responseCode: number

  constructor({ status, message }: MailFault, to: string) {
    super(message ?? usualWords(status!, to))
    this.responseCode = status!
  }
}

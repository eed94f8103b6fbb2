import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { defaultReply, type MailFault, type MailFaults } from './faults.ts'
import type { MailStore } from './store.ts'

const largestMail = 25 * 1024 * 1024

/** A mail server that accepts every mail for every recipient, except for queued faults. */
export function mailServer(store: MailStore, faults: MailFaults): SMTPServer {
  const sockets = new Map<number, Socket>()
  const cut = ({ remotePort }: SMTPServerSession) => sockets.get(remotePort)?.destroy()

  /** Waits as long as the faults require, and returns the rejection among them. */
  const refusal = async (due: MailFault[], to: string): Promise<Refusal | undefined> => {
    for (const { delayMs } of due) if (delayMs) await sleep(delayMs)
    const fault = due.find(({ action }) => action === 'status')
    return fault && new Refusal(fault, to)
  }

  const server = new SMTPServer({
    name: 'mailbox.localhost',
    banner: 'Carillon mailbox',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: true, // faults carry their own enhanced codes
    size: largestMail,
    closeTimeout: 500,
    maxAllowedUnauthenticatedCommands: Number.MAX_SAFE_INTEGER,

    async onRcptTo({ address }, session, done) {
      const due = faults.take('rcpt', address)
      const refused = await refusal(due, address)
      if (due.some(isCut)) return cut(session)
      done(refused)
      if (refused?.responseCode === 421) setImmediate(() => cut(session))
    },

    async onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      const inData = faults.take('data', to[0]!)
      if (inData.some(isCut)) return cut(session) // before the server replies 354
      const raw = await wholeMail(stream)
      if (!raw) return // the client has disconnected in mid-mail
      const atDot = faults.take('dot', to[0]!)
      const refused = await refusal([...inData, ...atDot], to[0]!)
      if (refused) return done(refused)
      const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : ''
      const item = store.accept({ from, to, raw, replied: !atDot.some(isCut) })
      if (!item.replied) cut(session)
      else done(null, `2.0.0 Ok: queued as ${item.seq.toString(36).toUpperCase().padStart(8, '0')}`)
    },
  })
  server.on('error', () => {}) // a client may disconnect
  server.server.on('connection', (socket: Socket) => {
    const port = socket.remotePort!
    sockets.set(port, socket)
    socket.once('close', () => sockets.delete(port))
  })
  return server
}

/** The bytes of a mail; undefined if it did not end. */
function wholeMail(stream: Readable): Promise<Buffer | undefined> {
  return stream.toArray().then(Buffer.concat, () => undefined)
}

function isCut({ action }: MailFault): boolean {
  return action === 'cut'
}

/** A rejection in the form that smtp-server expects. */
class Refusal extends Error {
  readonly responseCode: number

  constructor({ status, message }: MailFault, to: string) {
    super(message ?? defaultReply(status!, to))
    this.responseCode = status!
  }
}

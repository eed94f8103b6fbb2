import type { ChannelHealth } from '../channel.ts'
import { connectMail, type MailConnection, type MailServer } from './connection.ts'
import type { Failure, MailOutcome } from './outcome.ts'
import { queueId } from './queue-id.ts'
import { outcomeOf } from './replies.ts'

/** A mail to one recipient: the address as SMTP takes it, and all its bytes. */
export type Mail = { to: string; bytes: Buffer }

/** Hands mail over to one server, as one sender. Sessions are kept open between batches. */
export type Mailer = {
  /**
   * Sends one after another on one session, each with its own envelope. Answers one outcome for each, in order; never
   * throws for what a server does. When the server as a whole cannot take mail, those not tried yet end the same way,
   * for certain not sent. Once `mayBegin` says no, nothing more begins.
   */
  send(mails: Mail[], mayBegin?: () => boolean): Promise<MailOutcome[]>
  health(): Promise<ChannelHealth>
  close(): void
}

/** A session that nobody uses is ended before most servers would. */
const idleMs = 30_000
/** Sessions cut in a row within a batch, after which the server counts as down. */
const cutsInARow = 3

/** What was not begun because it was too late. */
export const aborted: MailOutcome = { kind: 'unavailable', code: 'aborted', certain: true }

/**
 * Makes a mailer; sessions are opened when they are needed, one for each batch that is being sent. `turn` resolves when
 * one more mail may be sent; false: nobody can say, and it is not.
 */
export function openMailer(server: MailServer, from: string, turn = async () => true): Mailer {
  const idle = new Map<MailConnection, NodeJS.Timeout>()
  let closed = false

  const keep = (connection: MailConnection) => {
    if (closed) return connection.close()
    const timer = setTimeout(() => {
      idle.delete(connection)
      connection.close()
    }, idleMs)
    idle.set(connection, timer.unref())
  }
  const take = (): MailConnection | undefined => {
    for (const [connection, timer] of idle) {
      clearTimeout(timer)
      idle.delete(connection)
      if (connection.open) return connection
    }
  }

  return {
    async send(mails, mayBegin = () => true) {
      const lane = openLane(server, from, take())
      const outcomes: MailOutcome[] = []
      let end: MailOutcome | undefined // of all that follow
      for (const mail of mails) {
        if (!end && (!(await turn()) || !mayBegin())) end = aborted
        const outcome = end ?? (await lane.send(mail))
        outcomes.push(outcome)
        end ??= concernsAll(outcome, lane.cuts)
      }
      if (lane.connection?.open) keep(lane.connection)
      return outcomes
    },
    async health() {
      const connection = await connectMail(server)
      if ('phase' in connection) return trouble(connection)
      connection.close()
      return { state: 'ok' }
    },
    close() {
      closed = true
      for (let connection = take(); connection; connection = take()) connection.close()
    },
  }
}

type Lane = {
  connection: MailConnection | undefined
  /** Sessions that were cut since the last answer. */
  cuts: number
  send(mail: Mail): Promise<MailOutcome>
}

function openLane(server: MailServer, from: string, connection: MailConnection | undefined): Lane {
  const attempt = async ({ to, bytes }: Mail): Promise<{ accepted: string } | Failure> => {
    if (!lane.connection?.open) {
      const opened = await connectMail(server)
      if ('phase' in opened) return opened
      lane.connection = opened
    }
    return lane.connection.send({ from, to, bytes })
  }
  const lane: Lane = {
    connection,
    cuts: 0,
    async send(mail) {
      const worn = lane.connection?.open && lane.connection.tried > 0
      let result = await attempt(mail)
      // A server may end a session it finds idle or long: that says nothing about the mail.
      if (worn && !('accepted' in result) && isGoodbye(result)) result = await attempt(mail)
      if ('accepted' in result) {
        lane.cuts = 0
        const requestId = queueId(result.accepted)
        return { kind: 'accepted', ...(requestId && { requestId }) }
      }
      lane.cuts = 'code' in result ? lane.cuts + 1 : 0
      return outcomeOf(result, mail.to)
    },
  }
  return lane
}

function isGoodbye(failure: Failure): boolean {
  if (failure.phase === 'end' || failure.phase === 'connect') return false
  return 'code' in failure ? failure.code === 'cut' : /^421/.test(failure.reply)
}

/** The outcome of all mails that follow, where this one was not about its recipient. */
function concernsAll(outcome: MailOutcome, cuts: number): MailOutcome | undefined {
  switch (outcome.kind) {
    case 'throttled':
    case 'quota':
    case 'misconfigured':
      return outcome
    case 'unavailable': // a session that was cut may have been the only one
      return outcome.code === 'cut' && cuts < cutsInARow ? undefined : { ...outcome, certain: true }
    default:
      return undefined
  }
}

function trouble(failure: Failure): ChannelHealth {
  const outcome = outcomeOf(failure, '')
  if (outcome.kind === 'misconfigured') return { state: 'misconfigured', code: `smtp_${outcome.status}` }
  return { state: 'unavailable', code: 'code' in outcome ? outcome.code : outcome.kind }
}

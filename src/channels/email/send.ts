import {
  abortedOutcome,
  codeOf,
  isAnswer,
  isProviderFailure,
  type Outcome,
} from '../../domain/message/outcome.ts'
import { type ChannelHealth, type ObserveRequest, requestStatusOf } from '../channel.ts'
import { connectMail, type MailConnection, type MailServer } from './connection.ts'
import type { Failure } from './failure.ts'
import { outcomeOfReply, type ReplyMeaning } from './replies.ts'

/** A mail to one recipient: its SMTP address and its bytes. */
export type Mail = { to: string; bytes: Buffer }

/** Sends mail through one server, as one sender. Sessions stay open between batches. */
export type Mailer = {
  /**
   * Sends the mails one after another on one session, each with its own envelope; if the session breaks, the next mail
   * opens another. Returns one outcome per mail, in order; never throws for server errors. If the server cannot take
   * any mail, or several in a row fail on the server's side, the mails not yet tried are `aborted`. Once `mayBegin`
   * returns false, no further mail is started.
   */
  send(mails: Mail[], mayBegin?: () => boolean): Promise<Outcome[]>
  health(): Promise<ChannelHealth>
  close(): void
}

/** How long an unused session stays open: less than most servers allow. */
const idleMs = 30_000
/** After this many server failures in a row the remaining mails are not tried. */
const failuresInARow = 3

/**
 * Creates a mailer; it opens sessions on demand, one for each batch in flight. `turn` resolves when one more mail may
 * be sent; on false (the rate could not be leased) it is not sent. `observe` gets each mail that was tried.
 */
export function openMailer(
  server: MailServer,
  from: string,
  turn = async () => true,
  observe: ObserveRequest = () => {},
): Mailer {
  const idle = new Map<MailConnection, NodeJS.Timeout>()
  let closed = false
  const suspicion = trackSuspicion()

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
      const lane = openLane(server, from, take(), observe)
      const outcomes: Outcome[] = []
      let inARow = 0
      let over = false
      for (const mail of mails) {
        if (over || !(await turn()) || !mayBegin()) {
          over = true
          outcomes.push(abortedOutcome)
          continue
        }
        const meaning = await lane.send(mail)
        outcomes.push(meaning.outcome)
        inARow = isProviderFailure(meaning.outcome) ? inARow + 1 : 0
        over =
          concernsAll(meaning.outcome) ||
          inARow >= failuresInARow ||
          suspicion.confirm(outcomes, mail.to, meaning)
      }
      if (lane.connection?.open) keep(lane.connection)
      return outcomes
    },
    async health() {
      const connection = await connectMail(server)
      if ('phase' in connection) return healthAfter(connection)
      connection.close()
      return { state: 'ok' }
    },
    close() {
      closed = true
      for (let connection = take(); connection; connection = take()) connection.close()
    },
  }
}

type Lane = { connection: MailConnection | undefined; send(mail: Mail): Promise<ReplyMeaning> }

function openLane(
  server: MailServer,
  from: string,
  connection: MailConnection | undefined,
  observe: ObserveRequest,
): Lane {
  const tryOnce = async ({ to, bytes }: Mail): Promise<{ accepted: string } | Failure> => {
    if (!lane.connection?.open) {
      const opened = await connectMail(server)
      if ('phase' in opened) return opened
      lane.connection = opened
    }
    return lane.connection.send({ from, to, bytes })
  }
  const attempt = async (mail: Mail) => {
    const startedAt = performance.now()
    const result = await tryOnce(mail)
    observe('email', statusOf(result), startedAt)
    return result
  }
  const lane: Lane = {
    connection,
    async send(mail) {
      const reused = lane.connection?.open && lane.connection.tried > 0
      let result = await attempt(mail)
      // A server may end an idle or long session: the mail is not at fault and is retried.
      if (reused && !('accepted' in result) && isSessionEnd(result)) result = await attempt(mail)
      if (!('accepted' in result)) return outcomeOfReply(result, mail.to)
      const requestId = queueId(result.accepted)
      return { outcome: { kind: 'accepted', ...(requestId && { requestId }) } }
    },
  }
  return lane
}

function statusOf(result: { accepted: string } | Failure) {
  if ('accepted' in result) return '2xx'
  if ('reply' in result) return requestStatusOf(Number.parseInt(result.reply, 10))
  return result.code === 'timeout' ? result.code : 'no_answer'
}

function isSessionEnd(failure: Failure): boolean {
  if (failure.phase === 'end' || failure.phase === 'connect') return false
  return 'code' in failure ? failure.code === 'cut' : /^421/.test(failure.reply)
}

/** The server failed before it saw a recipient: it would fail for the others as well. */
function concernsAll(outcome: Outcome): boolean {
  return isProviderFailure(outcome) && outcome.general === true
}

/**
 * Keeps the last refusal that may concern the account. It counts as its recipient's own until a different recipient
 * gets the same refusal before any mail is accepted: then both concern the account.
 */
function trackSuspicion() {
  let last: { to: string; code: string; outcomes: Outcome[]; index: number } | undefined
  return {
    /** Records the newest of `outcomes`. True: it concerns the account, and the outcomes are changed accordingly. */
    confirm(outcomes: Outcome[], to: string, { outcome, suspectedCode }: ReplyMeaning): boolean {
      if (suspectedCode === undefined) {
        if (isAnswer(outcome)) last = undefined
        return false
      }
      const before = last
      last = { to, code: suspectedCode, outcomes, index: outcomes.length - 1 }
      if (before?.code !== suspectedCode || before.to === to) return false
      const accountFailure: Outcome = { kind: 'misconfigured', code: suspectedCode }
      outcomes[last.index] = accountFailure
      if (before.outcomes === outcomes) outcomes[before.index] = accountFailure
      return true
    },
  }
}

function healthAfter(failure: Failure): ChannelHealth {
  const { outcome } = outcomeOfReply(failure, '')
  const state = outcome.kind === 'misconfigured' ? 'misconfigured' : 'unavailable'
  return { state, code: outcome.kind === 'accepted' ? outcome.kind : codeOf(outcome) }
}

/** The formats of well-known servers: Postfix and SendGrid, Exim, Amazon SES. None contains an @. */
const patterns = [
  /\bqueued as ([\w.-]{4,100})(?![\w@.-])/i,
  /\bid=([\w.-]{4,100})(?![\w@.-])/,
  /^250 ok ([\w.-]{4,100})$/i,
]

/** The server's id of an accepted mail, for tracing it there. An address that the reply repeats is never returned. */
export function queueId(reply: string): string | undefined {
  return patterns.map((pattern) => pattern.exec(reply)?.[1]).find((found) => found !== undefined)
}

import { abortedOutcome, codeOf, isProviderFailure, type Outcome } from '../../domain/message/outcome.ts'
import { type ChannelHealth, type ObserveRequest, requestStatusOf } from '../channel.ts'
import { connectMail, type MailServer } from './connection.ts'
import type { Failure } from './failure.ts'
import { outcomeOfReply, type ReplyMeaning } from './replies.ts'
import type { Mailed, MailResult, MailSession } from './session.ts'

/** A mail to one recipient: its SMTP address and its bytes. */
export type Mail = { to: string; bytes: Buffer }

/** Sends mail through one server, as one sender. Sessions stay open between batches. */
export type Mailer = {
  /**
   * Sends the mails, each with its own envelope: one after another on one session until the server has accepted one, then
   * on several; if a session breaks, its next mail opens another. Returns one outcome per mail, in order; never throws for
   * server errors. If the server cannot take any mail, or several in a row fail on the server's side, the mails not yet
   * tried are `aborted`. Once `mayBegin` returns false, no further mail is started.
   */
  send(mails: Mail[], mayBegin?: () => boolean): Promise<Outcome[]>
  health(): Promise<ChannelHealth>
  close(): void
}

/** The most sessions of a batch, how many of its mails are worth another one, and the most besides the first of each batch. */
export const sessions = { most: 8, perMails: 8, inAll: 32 }
/** How long an unused session stays open: less than most servers allow. */
const idleMs = 30_000
/** After this many server failures in a row the remaining mails are not tried. */
const failuresInARow = 3

/**
 * Creates a mailer; it opens sessions on demand, one for each batch in flight. `mayStart` resolves when one more mail
 * may be sent; on false (the rate could not be leased) it is not sent. `observe` gets each mail that was tried.
 */
export function openMailer(
  server: MailServer,
  from: string,
  mayStart = async () => true,
  observe: ObserveRequest = () => {},
): Mailer {
  const idle = new Map<MailSession, NodeJS.Timeout>()
  let closed = false
  let busy = 0 // sessions besides the first one of each batch
  const suspicion = trackSuspicion()

  const keep = (session: MailSession) => {
    if (closed) return session.close()
    const timer = setTimeout(() => {
      idle.delete(session)
      session.close()
    }, idleMs)
    idle.set(session, timer.unref())
  }
  const take = (): MailSession | undefined => {
    for (const [session, timer] of idle) {
      clearTimeout(timer)
      idle.delete(session)
      if (session.open) return session
    }
  }

  async function send(mails: Mail[], mayBegin = () => true): Promise<Outcome[]> {
    const outcomes: Outcome[] = mails.map(() => abortedOutcome)
    const line = mails.map((mail, index) => ({ ...mail, from, index }))
    let inARow = 0
    let over = false
    const lanes: Promise<void>[] = []

    /** The next mail, if one more may be started. */
    async function nextInLine(): Promise<InLine | undefined> {
      if (over || line.length === 0) return undefined
      if (!(await mayStart()) || !mayBegin()) over = true
      return over ? undefined : line.shift()
    }

    function record({ index, to }: InLine, meaning: ReplyMeaning): void {
      outcomes[index] = meaning.outcome
      inARow = isProviderFailure(meaning.outcome) ? inARow + 1 : 0
      const stops =
        concernsAll(meaning.outcome) ||
        inARow >= failuresInARow ||
        suspicion.confirm(outcomes, { index, to }, meaning)
      over ||= stops
      // The server takes mail: the others go on further sessions.
      if (meaning.outcome.kind === 'accepted' && lanes.length === 1)
        while (
          lanes.length < Math.min(sessions.most, line.length / sessions.perMails) &&
          busy < sessions.inAll
        )
          lanes.push(goOnBeside(openLane(server, take(), observe)))
    }

    /** A server that takes no further session keeps those that it has. */
    async function goOnBeside(lane: Lane): Promise<void> {
      busy += 1
      if (await lane.connect()) await goOn(lane)
      busy -= 1
    }

    async function goOn(lane: Lane): Promise<void> {
      let mail = await nextInLine()
      while (mail && !over) {
        const next = await nextInLine()
        record(mail, await lane.send(mail, next))
        mail = next
      }
      lane.end(keep)
    }

    lanes.push(goOn(openLane(server, take(), observe)))
    for (const lane of lanes) await lane
    return outcomes
  }

  return {
    send,
    async health() {
      const session = await connectMail(server)
      if ('phase' in session) return healthAfter(session)
      session.close()
      return { state: 'ok' }
    },
    close() {
      closed = true
      for (let session = take(); session; session = take()) session.close()
    },
  }
}

/** A mail of a batch, with its place there. */
type InLine = Mailed & { index: number }

/** Mails that go one after another, on one session at a time. */
type Lane = {
  /** Opens its session. Returns whether the server took it. */
  connect(): Promise<boolean>
  /** Tries a mail; `next`: the one that follows. */
  send(mail: Mailed, next: Mailed | undefined): Promise<ReplyMeaning>
  /** Ends it, with what becomes of its session. */
  end(keep: (session: MailSession) => void): void
}

function openLane(server: MailServer, idle: MailSession | undefined, observe: ObserveRequest): Lane {
  let session = idle
  const connected = async (): Promise<MailSession | Failure> => {
    if (session?.open) return session
    const opened = await connectMail(server)
    if (!('phase' in opened)) session = opened
    return opened
  }
  const tryOnce = async (mail: Mailed, next: Mailed | undefined): Promise<MailResult> => {
    const opened = await connected()
    return 'phase' in opened ? opened : opened.send(mail, next)
  }
  const attempt = async (mail: Mailed, next: Mailed | undefined) => {
    const startedAt = performance.now()
    const result = await tryOnce(mail, next)
    observe('email', statusOf(result), startedAt)
    return result
  }
  return {
    connect: async () => !('phase' in (await connected())),
    async send(mail, next) {
      const reused = session?.open && session.tried > 0
      let result = await attempt(mail, next)
      // A server may end an idle or long session: the mail is not at fault and is retried.
      if (reused && !('accepted' in result) && isSessionEnd(result)) result = await attempt(mail, next)
      if (!('accepted' in result)) return outcomeOfReply(result, mail.to)
      const requestId = queueId(result.accepted)
      return { outcome: { kind: 'accepted', ...(requestId && { requestId }) } }
    },
    end(keep) {
      if (session?.isIdle) keep(session)
      else session?.close()
    },
  }
}

function statusOf(result: MailResult) {
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
    /** Records the one at `index`, the newest. True: it concerns the account, and the outcomes are changed accordingly. */
    confirm(
      outcomes: Outcome[],
      { index, to }: { index: number; to: string },
      { outcome, suspected }: ReplyMeaning,
    ): boolean {
      if (suspected === undefined) {
        if (outcome.kind === 'accepted') last = undefined
        return false
      }
      const before = last
      last = { to, code: codeOf(suspected), outcomes, index }
      if (before?.code !== last.code || before.to === to) return false
      outcomes[index] = suspected
      if (before.outcomes === outcomes) outcomes[before.index] = suspected
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
  return patterns.map((pattern) => pattern.exec(reply)?.[1]).find((id) => id !== undefined)
}

import type { Socket } from 'node:net'
import type { Failure, Phase } from './failure.ts'

/** One mail to one recipient: the addresses of its envelope, and its bytes with CRLF at the end of each line. */
export type Mailed = { from: string; to: string; bytes: Buffer }

/** What the server answered a mail with, or how the try failed. */
export type MailResult = { accepted: string } | Failure

/** One session with a mail server; one mail at a time. */
export type MailSession = {
  /**
   * Sends a mail. Never throws for server errors. `next`: the mail that is sent after this one; its envelope goes along
   * with the end of this one where the server takes commands in groups.
   */
  send(mail: Mailed, next?: Mailed): Promise<MailResult>
  /** False once either side has ended the session. */
  readonly open: boolean
  /** It is open, and the server waits for no mail. */
  readonly isIdle: boolean
  /** Mails tried so far. */
  readonly tried: number
  close(): void
}

type SessionOptions = {
  /** The server takes commands in groups (PIPELINING, RFC 2920). */
  inGroups: boolean
  /** The server is told the size of a mail before it (SIZE, RFC 1870). `most`: its limit; 0: none is known. */
  size: { most: number } | null
  /** How long one mail may take (ms). */
  timeoutMs: number
}

/** A command, and the phase in which the server answers it. */
type Command = { phase: Phase; line: string }

/** How long a server may take to answer QUIT. */
const quitTimeoutMs = 1_000

/**
 * The dialogue of a session by which mails are handed over (RFC 5321, 3.3), on a socket that is connected, secured and
 * logged in. A mail costs one wait for its envelope and one for its end; in groups, one alone.
 */
export function openSession(socket: Socket, { inGroups, size, timeoutMs }: SessionOptions): MailSession {
  const replies = readReplies(socket)
  let tries = 0
  let unfinished = false // a refused envelope leaves the server's mail transaction open
  let announced: { mail: Mailed; commands: Command[] } | undefined // its envelope has gone ahead

  const linesOf = (commands: Command[]) => commands.map(({ line }) => `${line}\r\n`).join('')
  const write = (commands: Command[]) => socket.write(linesOf(commands), 'latin1')

  function envelopeOf({ from, to, bytes }: Mailed): Command[] {
    const reset: Command[] = unfinished ? [{ phase: 'sender', line: 'RSET' }] : []
    return [
      ...reset,
      { phase: 'sender', line: `MAIL FROM:<${from}>${size ? ` SIZE=${bytes.length}` : ''}` },
      { phase: 'recipient', line: `RCPT TO:<${to}>` },
      { phase: 'data', line: 'DATA' },
    ]
  }

  /** What is refused here, as the reply that a server would give: no address may end a line or a path. */
  function refusalOf({ to, bytes }: Mailed): Failure | null {
    if (!/^[ -;=?-~]+$/.test(to)) return { phase: 'recipient', reply: '553 5.1.3 invalid address' }
    const tooLarge = size !== null && size.most > 0 && bytes.length > size.most
    return tooLarge ? { phase: 'sender', reply: '552 5.3.4 message too large' } : null
  }

  /** The first refusal of an envelope, once all its commands are answered; null: the server waits for the mail. */
  async function announce(mail: Mailed): Promise<Failure | null> {
    const ahead = announced?.mail === mail ? announced.commands : undefined
    // The server waits for another mail: only the end of the session takes that back.
    if (announced && !ahead) replies.end('cut')
    announced = undefined
    const commands = ahead ?? envelopeOf(mail)
    if (inGroups && !ahead) write(commands)
    let refused: Failure | null = null
    for (const command of commands) {
      if (!inGroups) write([command])
      const reply = await replies.next()
      if (reply === null) return { phase: 'recipient', code: replies.ended! }
      const isTaken = command.phase === 'data' ? /^[23]/.test(reply) : reply.startsWith('2')
      if (!isTaken) refused ??= { phase: command.phase, reply }
      if (isGoodbye(reply)) replies.end('cut')
      if (refused && (!inGroups || replies.ended)) break
      unfinished = !(command.phase === 'data' && isTaken)
    }
    if (refused && !unfinished && !replies.ended) await sendNothing()
    return refused
  }

  /** Ends a mail whose recipient was refused and that the server waits for all the same (RFC 2920, 3.1). */
  async function sendNothing(): Promise<void> {
    socket.write('.\r\n')
    await replies.next()
  }

  async function hand(mail: Mailed, next: Mailed | undefined): Promise<MailResult> {
    const refused = await announce(mail)
    if (refused) return refused
    const body = stuffed(mail.bytes)
    socket.write(body)
    await nextPoll()
    // A server that has hung up by now cannot have taken the mail, so its outcome is certain.
    if (replies.ended || socket.readableEnded) return { phase: 'body', code: replies.ended ?? 'cut' }
    if (next && inGroups && !refusalOf(next)) announced = { mail: next, commands: envelopeOf(next) }
    const envelope = linesOf(announced?.commands ?? [])
    socket.write(`${endsLine(body) ? '' : '\r\n'}.\r\n${envelope}`, 'latin1')
    const reply = await replies.next()
    if (reply === null) return { phase: 'end', code: replies.ended! }
    if (isGoodbye(reply)) replies.end('cut')
    return reply.startsWith('2') ? { accepted: reply } : { phase: 'end', reply }
  }

  return {
    async send(mail, next) {
      tries += 1
      const refused = refusalOf(mail)
      if (refused) return refused
      const timer = setTimeout(() => replies.end('timeout'), timeoutMs)
      try {
        return await hand(mail, next)
      } finally {
        clearTimeout(timer)
      }
    },
    get open() {
      // A reply that nobody asked for says that the server closes the session.
      return !replies.ended && (announced !== undefined || replies.unread === 0)
    },
    get isIdle() {
      return this.open && announced === undefined
    },
    get tried() {
      return tries
    },
    close() {
      if (replies.ended) return
      // Where a mail was announced, QUIT would be its first line.
      if (announced) return replies.end('cut')
      socket.end('QUIT\r\n')
      setTimeout(() => replies.end('cut'), quitTimeoutMs).unref()
    },
  }
}

/** The server closes the session after this reply (RFC 5321, 3.8). */
function isGoodbye(reply: string): boolean {
  return reply.startsWith('421')
}

/** How a session ended: with nothing more to be read. */
type Ended = 'cut' | 'timeout' | 'protocol'

type Replies = {
  /** The next reply, its lines joined by line feeds; null once the session has ended without one. */
  next(): Promise<string | null>
  readonly ended: Ended | undefined
  /** Replies that nobody has waited for. */
  readonly unread: number
  end(as: Ended): void
}

/** The longest reply; a server that sends more does not speak SMTP. */
const longestReply = 65_536

/** Reads a socket as replies (RFC 5321, 4.2): all lines but the last have a hyphen after the code. */
function readReplies(socket: Socket): Replies {
  const replies: string[] = []
  let ended: Ended | undefined
  let text = ''
  let lines: string[] = []
  let notify = () => {}

  function end(as: Ended): void {
    ended ??= as
    socket.destroy()
    notify()
  }

  function take(chunk: Buffer): void {
    text += chunk.toString('latin1')
    let from = 0
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      const line = text.slice(from, text[at - 1] === '\r' ? at - 1 : at)
      from = at + 1
      lines.push(line)
      if (line[3] === '-') continue
      replies.push(lines.join('\n'))
      lines = []
    }
    text = text.slice(from)
    const held = lines.reduce((sum, { length }) => sum + length, text.length)
    if (held > longestReply || replies.length > longestReply) end('protocol')
    notify()
  }

  socket.on('data', take)
  for (const event of ['error', 'end', 'close'] as const) socket.on(event, () => end('cut'))
  // It may have ended before anybody listened.
  if (socket.destroyed || socket.readableEnded) end('cut')

  return {
    async next() {
      while (replies.length === 0 && !ended) await new Promise<void>((resolve) => (notify = resolve))
      return replies.shift() ?? null
    },
    get ended() {
      return ended
    },
    get unread() {
      return replies.length
    },
    end,
  }
}

const dotLine = Buffer.from('\n.')
const dot = 0x2e
const lineFeed = 0x0a

/** A mail as it is sent: lines that begin with a dot have another one before it (RFC 5321, 4.5.2). */
function stuffed(bytes: Buffer): Buffer {
  if (bytes[0] !== dot && !bytes.includes(dotLine)) return bytes
  return Buffer.from(bytes.toString('latin1').replaceAll(/(^|\n)\./g, '$1..'), 'latin1')
}

function endsLine(bytes: Buffer): boolean {
  return bytes.at(-1) === lineFeed
}

/** The first `setImmediate` ends the current turn of the event loop; sockets are polled before the second. */
function nextPoll(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
}

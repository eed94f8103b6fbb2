import { createServer as createHttpServer } from 'node:http'
import { createServer, type Socket } from 'node:net'

/**
 * A mail server that takes everything and keeps nothing but a count and the last mail, as a process of its own. It costs
 * as little as a mail server can, so that what is measured is the sender. GET / tells the count, GET /last the last mail.
 */
const endOfMail = Buffer.from('\r\n.\r\n')
const answers: Record<string, string> = { DATA: '354 Go ahead\r\n', QUIT: '221 Bye\r\n' }
const { MAILBOX_SMTP_PORT, MAILBOX_PORT } = process.env
let mails = 0
let last = Buffer.alloc(0)

createServer({ noDelay: true }, take).listen(Number(MAILBOX_SMTP_PORT), '127.0.0.1')
createHttpServer(({ url }, response) => {
  response.end(url === '/last' ? last : JSON.stringify({ mails }))
}).listen(Number(MAILBOX_PORT), '127.0.0.1')

/** One session. A client waits for each answer, so what comes in at once is one command, or a part of one mail. */
function take(socket: Socket): void {
  let inMail = false
  let held = Buffer.alloc(0)
  socket.on('error', () => {}) // a client that hangs up is its own affair
  socket.write('220 sink.localhost\r\n')
  socket.on('data', (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    if (inMail) {
      if (!held.subarray(-endOfMail.length).equals(endOfMail)) return
      inMail = false
      mails += 1
      last = held.subarray(0, -endOfMail.length)
      held = Buffer.alloc(0)
      socket.write('250 2.0.0 Ok\r\n')
      return
    }
    if (held.at(-1) !== 10) return
    const verb = held.toString('latin1', 0, 4).toUpperCase()
    held = Buffer.alloc(0)
    inMail = verb === 'DATA'
    socket.write(answers[verb] ?? '250 Ok\r\n')
    if (verb === 'QUIT') socket.end()
  })
}

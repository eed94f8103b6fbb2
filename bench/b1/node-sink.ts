import { createServer, type Socket } from 'node:net'

/**
 * A mail server that accepts every mail and prints a count in smtp-sink's format, for machines without smtp-sink. A
 * separate process; its argument is the port.
 */
const endOfMail = Buffer.from('\r\n.\r\n')
const answers: Record<string, string> = { DATA: '354 Go ahead\r\n', QUIT: '221 Bye\r\n' }
let mails = 0

createServer({ noDelay: true }, take).listen(Number(process.argv[2]), '127.0.0.1')

/** Serves one session. A client waits for each reply, so a chunk is one command or a part of one mail. */
function take(socket: Socket): void {
  let inMail = false
  let held = Buffer.alloc(0)
  socket.on('error', () => {}) // a client may disconnect
  socket.write('220 sink.localhost\r\n')
  socket.on('data', (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    if (inMail) {
      if (!held.subarray(-endOfMail.length).equals(endOfMail)) return
      inMail = false
      held = Buffer.alloc(0)
      mails += 1
      process.stdout.write(`mesg=${mails}\r`)
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

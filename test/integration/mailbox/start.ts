import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startMailbox } from '../../../dev/mailbox/server.ts'
import type { MailItem } from '../../../dev/mailbox/store.ts'
import type { MailServer } from '../../../src/channels/email/connection.ts'
import { type Mail, openMailer } from '../../../src/channels/email/send.ts'

export const sender = 'notice@hub.example.edu'

/** A directory that is gone after the test. */
export async function temporaryDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'mailbox-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** A mailbox of one test, on free ports, with a client for its interfaces. */
export async function mailbox() {
  const { url, smtpPort, close } = await startMailbox({ smtpPort: 0, httpPort: 0, dir: await temporaryDir() })
  onTestFinished(close)
  return { url, port: smtpPort, ...callsTo(url) }
}

/** The control interface of a mailbox at this address. */
export function callsTo(url: string) {
  return {
    fault: (fault: object) => fetch(`${url}/faults`, { method: 'POST', body: JSON.stringify(fault) }),
    page: async (path: string) => (await fetch(`${url}${path}`)).text(),
    /** The whole journal, page by page. */
    async journal(): Promise<MailItem[]> {
      const items: MailItem[] = []
      for (let since = 0; ; ) {
        const page = (await (await fetch(`${url}/journal?since=${since}`)).json()) as Page
        if (page.items.length === 0) return items
        items.push(...page.items)
        since = page.next
      }
    },
  }
}
type Page = { items: MailItem[]; next: number }

/** A mailer of one test to a server on this port. */
export function mailerTo(port: number, more: Partial<MailServer> = {}) {
  const mailer = openMailer({ host: '127.0.0.1', port, security: 'none', ...more }, sender)
  onTestFinished(mailer.close)
  return mailer
}

/** A mail of a few lines; `html` makes it one of two parts. */
export function mailTo(to: string, { subject = 'Hello', body = 'Hello\r\n' } = {}): Mail {
  const id = `<${randomUUID()}@hub.example.edu>`
  const head = [`From: Hub <${sender}>`, `To: ${to}`, `Subject: ${subject}`, `Message-ID: ${id}`]
  return { to, bytes: Buffer.from([...head, '', body].join('\r\n')) }
}

/** Mails to so many different people. */
export function mailsTo(count: number, name = 'ann'): Mail[] {
  return Array.from({ length: count }, (_, index) => mailTo(`${name}${index}@example.edu`))
}

/** Answers by the command's first word; `DOT` is the end of a mail, `GREETING` the start. Null: never; after `!` it hangs up. */
export type Script = Partial<Record<string, string | null>>

const usual: Script = {
  GREETING: '220 hi',
  EHLO: '250 hi',
  DATA: '354 go on',
  DOT: '250 Ok',
  QUIT: '221 bye',
}

/** A server that says what it is told to, and keeps its sessions and the words it heard; its port. */
export async function scripted(script: Script) {
  const answers = { ...usual, ...script }
  const sockets: Socket[] = []
  const heard: string[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    let inMail = false
    const say = (word: string) => {
      heard.push(word)
      const answer = answers[word] === undefined ? '250 Ok' : answers[word]
      if (answer !== null) socket.write(`${answer.replace('!', '')}\r\n`)
      if (answer?.startsWith('!')) socket.destroy()
    }
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk.toString()
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end)
        text = text.slice(end + 2)
        if (inMail && line !== '.') continue
        const word = inMail ? 'DOT' : line.split(' ')[0]!.toUpperCase()
        inMail = word === 'DATA' && answers.DATA?.includes('354') === true
        say(word)
      }
    })
    say('GREETING')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, sockets, heard }
}

import { closeSync, fstatSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type Journal, type Numbered, openJournal } from '../journal.ts'
import { type Headers, readable, readHeaders } from './headers.ts'

/** One accepted mail. Rejected and incomplete mails are not stored. */
export type MailItem = Numbered & {
  from: string
  /** The recipient of the envelope; a list if there are several. */
  to: string | string[]
  /** In readable form. */
  subject: string
  messageId: string
  headers: Headers
  /** The phase the mail reached: all stored mail was accepted. */
  phase: 'dot'
  /** False if the connection was cut before the reply. */
  replied: boolean
  /** The position of its bytes in mails.bin. */
  offset: number
  size: number
}

/** The accepted mail: a journal, and the mails in a file beside it. */
export type MailStore = {
  journal: Journal<MailItem>
  /** Writes a mail; once this returns, a killed process does not lose it. */
  accept(mail: { from: string; to: string[]; raw: Buffer; replied: boolean }): MailItem
  /** The latest mails, newest first: those that the page lists and searches. */
  newest(): readonly MailItem[]
  /** Any mail of the journal. */
  find(seq: number): Promise<MailItem | undefined>
  read(item: MailItem): Promise<Buffer>
  close(): void
}

/** The mails that the page lists; older ones are found by their number. */
const remembered = 5_000

/** Opens the store in `dir` with the mails of earlier processes. */
export async function openStore(dir: string): Promise<MailStore> {
  mkdirSync(dir, { recursive: true })
  const path = join(dir, 'mails.bin')
  const items: MailItem[] = []
  const remember = (item: MailItem) => {
    items.push(item)
    if (items.length > remembered * 2) items.splice(0, remembered)
  }
  const journal = await openJournal<MailItem>(dir, remember)
  const file = openSync(path, 'a')
  let end = fstatSync(file).size

  return {
    journal,
    accept({ from, to, raw, replied }) {
      writeFileSync(file, raw)
      const headers = readHeaders(raw)
      const item = journal.append({
        from,
        to: to.length === 1 ? to[0]! : to,
        subject: readable(headers, 'subject'),
        messageId: readable(headers, 'message-id'),
        headers,
        phase: 'dot',
        replied,
        offset: end,
        size: raw.length,
      })
      end += raw.length
      remember(item)
      return item
    },
    newest: () => items.slice(-remembered).reverse(),
    async find(seq) {
      const recent = items[seq - (items[0]?.seq ?? 0)]
      if (recent || !Number.isSafeInteger(seq) || seq < 1) return recent
      for await (const line of journal.after(seq - 1)) {
        const item: MailItem = JSON.parse(line.toString())
        return item.seq === seq ? item : undefined
      }
      return undefined
    },
    async read({ offset, size }) {
      const mails = await open(path)
      try {
        const { buffer } = await mails.read(Buffer.alloc(size), 0, size, offset)
        return buffer
      } finally {
        await mails.close()
      }
    },
    close() {
      journal.close()
      closeSync(file)
    },
  }
}

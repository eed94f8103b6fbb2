import { closeSync, fstatSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type Journal, type Numbered, openJournal } from '../journal.ts'
import { type Headers, readable, readHeaders } from './headers.ts'

/** One accepted mail. What was refused, or never ended, is not here: nobody received it. */
export type MailItem = Numbered & {
  from: string
  /** The recipient of the envelope; a list where there were several. */
  to: string | string[]
  /** As a person reads it. */
  subject: string
  messageId: string
  headers: Headers
  /** How far the mail came: everything here was accepted. */
  phase: 'dot'
  /** False where the connection was cut before the answer. */
  replied: boolean
  /** Where its bytes stand in mails.bin. */
  offset: number
  size: number
}

/** What came in: a journal, and beside it the mails themselves. */
export type MailStore = {
  journal: Journal<MailItem>
  /** Writes a mail down; when this returns, no kill of the process loses it. */
  accept(mail: { from: string; to: string[]; raw: Buffer; replied: boolean }): MailItem
  /** The newest first, as many as are remembered. */
  newest(): readonly MailItem[]
  find(seq: number): MailItem | undefined
  read(item: MailItem): Promise<Buffer>
  close(): void
}

/** How many mails the page can show; older ones stay in the journal. */
const remembered = 5_000

/** Opens the store in `dir`, with what an earlier process left there. */
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
    find: (seq) => items[seq - (items[0]?.seq ?? 0)],
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

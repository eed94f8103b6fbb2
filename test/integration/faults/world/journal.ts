import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalItem } from '../../../../dev/simulator/journal.ts'

/** One provider call. `marker` identifies its message, `part` its call number: both are read from its text. */
export type Entry = Pick<JournalItem, 'seq' | 'endpoint' | 'status' | 'to' | 'retryKey' | 'replyToken'> & {
  at: number
  marker: string
  part: number
}

const signature = /(m-[0-9a-f]{12})\/(\d+)/
const messagesPerCall = 5

/**
 * Reads the provider's journal from disk, without a line that is being written. Each call continues from the last
 * position, because tests may poll often.
 */
export function journalReader(dir: string): () => Entry[] {
  const entries: Entry[] = []
  let readTo = 0
  return () => {
    const fresh = readFrom(join(dir, 'journal.jsonl'), readTo)
    const whole = fresh.subarray(0, fresh.lastIndexOf('\n') + 1)
    readTo += whole.length
    entries.push(...whole.toString('utf8').split('\n').slice(0, -1).map(entryOf))
    return [...entries]
  }
}

function readFrom(file: string, offset: number): Buffer {
  const handle = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(fstatSync(handle).size - offset)
    readSync(handle, bytes, { position: offset })
    return bytes
  } finally {
    closeSync(handle)
  }
}

function entryOf(line: string): Entry {
  const { seq, at, endpoint, status, to, retryKey, replyToken, messages }: JournalItem = JSON.parse(line)
  const [, marker = '', text = '0'] = signature.exec(JSON.stringify(messages)) ?? []
  const part = Math.floor(Number(text) / messagesPerCall)
  return { seq, endpoint, status, to, retryKey, replyToken, at: Date.parse(at), marker, part }
}

/** Marks a text with its message and its number among the texts of that message. */
export function sign(marker: string, text: number): string {
  return `${marker}/${text}`
}

/** Accepted calls. */
export function accepted<E extends Entry>(entries: E[]): E[] {
  return entries.filter(({ status }) => status === 200)
}

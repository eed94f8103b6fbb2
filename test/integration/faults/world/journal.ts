import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalItem } from '../../../../dev/simulator/journal.ts'

/** One provider call. `marker` says of which message it is, `part` which of its calls: both read from its text. */
export type Entry = Pick<JournalItem, 'seq' | 'endpoint' | 'status' | 'to' | 'retryKey'> & {
  at: number
  marker: string
  part: number
}

const signature = /(m-[0-9a-f]{12})\/(\d+)/
const messagesPerCall = 5

/** The provider's truth as it stands on disk. A line that is being written at this moment is left out. */
export function readJournal(dir: string): Entry[] {
  const lines = readFileSync(join(dir, 'journal.jsonl'), 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => {
    const { seq, at, endpoint, status, to, retryKey, messages }: JournalItem = JSON.parse(line)
    const [, marker = '', text = '0'] = signature.exec(JSON.stringify(messages)) ?? []
    const part = Math.floor(Number(text) / messagesPerCall)
    return { seq, endpoint, status, to, retryKey, at: Date.parse(at), marker, part }
  })
}

/** The first text that tells a reader of the journal which message, and which text of it, this is. */
export function sign(marker: string, text: number): string {
  return `${marker}/${text}`
}

/** Calls that reached somebody. */
export function accepted<E extends Entry>(entries: E[]): E[] {
  return entries.filter(({ status }) => status === 200)
}

import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { linesBetween } from './lines.ts'

/** The fields of every journal entry. */
export type Numbered = {
  /** 1, 2, 3 … without gaps; the nth line of the file is item n. */
  seq: number
  /** When it was written (ISO 8601, UTC). */
  at: string
}

/**
 * A provider's record of what it accepted: a file of JSON lines. An item is written to the operating system before its
 * call is answered, so that a killed process loses none. Memory holds one offset per hundred items.
 */
export type Journal<Item extends Numbered> = {
  append(item: Omit<Item, keyof Numbered>): Item
  /** The items after `seq` as lines of JSON, without those appended meanwhile. */
  after(seq: number): AsyncGenerator<Buffer>
  /** The number of the last item, 0 before the first. */
  last(): number
  close(): void
}

const itemsPerMark = 100

/** Opens the journal in `dir` and passes every existing item to `remember`, oldest first. */
export async function openJournal<Item extends Numbered>(
  dir: string,
  remember: (item: Item) => void,
): Promise<Journal<Item>> {
  mkdirSync(dir, { recursive: true })
  const path = join(dir, 'journal.jsonl')
  const marks: number[] = [] // marks[k]: the offset of item k × 100 + 1
  let seq = 0
  let size = 0
  const count = (bytes: number) => {
    if (seq % itemsPerMark === 0) marks.push(size)
    seq += 1
    size += bytes
  }

  const existing = existsSync(path) ? statSync(path).size : 0
  for await (const line of linesBetween(path, 0, existing)) {
    count(line.length + 1)
    remember(JSON.parse(line.toString()))
  }
  const file = openSync(path, 'a')
  if (size < existing) ftruncateSync(file, size) // the call of a torn line was never answered

  return {
    append(entry) {
      const item = { seq: seq + 1, at: new Date().toISOString(), ...entry } as Item
      const line = Buffer.from(`${JSON.stringify(item)}\n`)
      writeFileSync(file, line)
      count(line.length)
      return item
    },
    async *after(wanted) {
      const mark = Math.floor(Math.max(0, wanted) / itemsPerMark)
      let at = mark * itemsPerMark
      for await (const line of linesBetween(path, marks[mark] ?? size, size)) {
        at += 1
        if (at > wanted) yield line
      }
    },
    last: () => seq,
    close: () => closeSync(file),
  }
}

import type { ImportLine } from '../../db/tables.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'

/**
 * Passes on the lines of a file. A line about a uid that an earlier one says something else about has the reason instead
 * of its record: what a spreadsheet made of several ids must not become one person.
 */
export async function* oneLineEach(lines: AsyncIterable<ImportLine>): AsyncGenerator<ImportLine> {
  const first = new FirstLines()
  for await (const one of lines) {
    const { line, record } = one
    const before = typeof record === 'string' ? line : first.lineOf(line, record)
    const reason = `must not say something else about its uid than line ${before}`
    yield before === line ? one : { line, record: reason }
  }
}

/**
 * What the first line about each uid says, as digests in an open-addressed table: at most 40 bytes a line, where a million
 * texts would be over a hundred MB.
 */
class FirstLines {
  private slots = 1_024
  private entries = new Uint32Array(this.slots * entryLength)
  private count = 0

  /** The number of the first line about a uid, if it says something else; otherwise that of this line. */
  lineOf(line: number, record: Record<string, unknown>): number {
    if (typeof record.uid !== 'string') return line
    const entry = Uint32Array.of(line, ...digestOf(record.uid), ...digestOf(canonicalJson(record)))
    const at = this.placeOf(entry)
    const first = this.entries[at]!
    if (first !== 0) return this.says(at, entry) ? line : first
    this.entries.set(entry, at)
    this.count += 1
    if (this.count * 2 > this.slots) this.grow()
    return line
  }

  /** Where the entry of its uid is, or is to be: a line counts from 1, so that 0 is a free place. */
  private placeOf([, low, high]: Uint32Array): number {
    let slot = low! % this.slots
    for (;;) {
      const at = slot * entryLength
      const { entries } = this
      if (entries[at] === 0 || (entries[at + 1] === low && entries[at + 2] === high)) return at
      slot = (slot + 1) % this.slots
    }
  }

  private says(at: number, entry: Uint32Array): boolean {
    return this.entries[at + 3] === entry[3] && this.entries[at + 4] === entry[4]
  }

  private grow(): void {
    const { entries } = this
    this.slots *= 2
    this.entries = new Uint32Array(this.slots * entryLength)
    for (let at = 0; at < entries.length; at += entryLength) {
      const entry = entries.subarray(at, at + entryLength)
      if (entry[0] !== 0) this.entries.set(entry, this.placeOf(entry))
    }
  }
}

/** Words of an entry: the number of the line, the digest of its uid, and that of what it says. */
const entryLength = 5

/** 64 bits of a text, in two words. A tenth of the cost of a digest that withstands an attack: the file is its sender's. */
function digestOf(text: string): [number, number] {
  let [low, high] = [0x811c9dc5, 0x9e3779b9]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x85ebca6b) ^ (high >>> 13)
  }
  return [mixed(low), mixed(high)]
}

/** Spreads each bit over all others (the end of MurmurHash3). */
function mixed(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}

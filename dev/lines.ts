import { createReadStream } from 'node:fs'

const newline = 0x0a
const chunkBytes = 1024 * 1024

/** The complete lines of a file between two byte offsets, without line ends; excludes a torn last line. */
export async function* linesBetween(path: string, start: number, end: number): AsyncGenerator<Buffer> {
  if (start >= end) return
  let begun: Buffer[] = []
  const stream = createReadStream(path, { start, end: end - 1, highWaterMark: chunkBytes })
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      const rest = chunk.subarray(from, at)
      yield begun.length === 0 ? rest : Buffer.concat([...begun, rest])
      begun = []
      from = at + 1
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
  }
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ImportLine } from '../../../src/db/tables.ts'
import { linesOf } from '../../../src/services/imports/lines.ts'

async function* inParts(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function read(text: string, size = 1_000): Promise<ImportLine[]> {
  const lines: ImportLine[] = []
  for await (const line of linesOf(inParts(text, size), 'csv')) lines.push(line)
  return lines
}

const ends = ['\r\n', '\n', '\r'] as const

describe('a line of a CSV file', () => {
  it('ends with CRLF, LF or CR, whichever the header has', async () => {
    for (const first of ends)
      for (const other of ends) {
        const lines = await read(`uid,displayName${first}a,Ann${other}b,Ben${first}c,Cid`)
        expect(lines, JSON.stringify([first, other])).toEqual([
          { line: 2, record: { uid: 'a', displayName: 'Ann' } },
          { line: 3, record: { uid: 'b', displayName: 'Ben' } },
          { line: 4, record: { uid: 'c', displayName: 'Cid' } },
        ])
      }
  })

  it('may hold any of them in a quoted cell', async () => {
    for (const end of ends) {
      const [one, two] = await read(`uid,displayName${end}a,"Ann${end}Lee\nChen\r\nWu\rHo"${end}b,Ben`)
      expect(one!.record).toEqual({ uid: 'a', displayName: `Ann${end}Lee\nChen\r\nWu\rHo` })
      expect(two!.record).toEqual({ uid: 'b', displayName: 'Ben' })
    }
  })

  it('is the same however the lines end, and in whatever parts the file arrives', () => {
    const cell = fc.stringMatching(/^[a-z]{1,3}$/)
    const quoted = fc.array(fc.constantFrom('x', ...ends), { minLength: 1 }).map((parts) => parts.join(''))
    const name = fc.oneof(cell, quoted)
    const row = fc.record({ uid: cell, name, end: fc.constantFrom(...ends), empty: fc.boolean() })
    return fc.assert(
      fc.asyncProperty(
        fc.array(row),
        fc.constantFrom(...ends),
        fc.integer({ min: 1, max: 9 }),
        async (rows, first, size) => {
          const text = rows.map(({ uid, name, end, empty }) => `${uid},"${name}"${end}${empty ? end : ''}`)
          const lines = await read(`uid,displayName${first}${text.join('')}`, size)
          expect(lines.map(({ record }) => record)).toEqual(
            rows.map(({ uid, name }) => expect.objectContaining({ uid, displayName: name })),
          )
        },
      ),
    )
  })
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { linesIn } from '../../../src/services/upload/lines.ts'

async function* inParts(bytes: Buffer, sizes: number[]): AsyncGenerator<Buffer> {
  let start = 0
  for (const size of sizes) {
    yield bytes.subarray(start, start + size)
    start += size
  }
  yield bytes.subarray(start)
}

async function linesOf(bytes: Buffer, sizes: number[] = []): Promise<(string | null)[]> {
  const lines: (string | null)[] = []
  for await (const line of linesIn(inParts(bytes, sizes))) lines.push(line)
  return lines
}

it('a file has the same lines in whatever parts it arrives', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'binary' }).filter((line) => line.isWellFormed())),
      fc.array(fc.nat(20)),
      async (lines, sizes) => {
        const text = lines.join('\n')
        expect(await linesOf(Buffer.from(text), sizes)).toEqual(
          text.split('\n').map((line) => line.replace(/^\ufeff/, '')),
        )
      },
    ),
  ))

it('a line may be as long as documented; a longer one is null, and the next is read', async () => {
  const longest = 'x'.repeat(limits.lineBytes)
  const ones = Array<number>(3 * limits.lineBytes).fill(1)
  expect(await linesOf(Buffer.from(`${longest}\n${longest}y\nz`), ones)).toEqual([longest, null, 'z'])
})

it('a file in another encoding is rejected', async () => {
  await expect(linesOf(Buffer.from('gar\xe7on', 'latin1'))).rejects.toMatchObject({
    code: 'validation_error',
  })
})

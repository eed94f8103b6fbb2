import fc from 'fast-check'
import { expect, it } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { byNumber, pageOf } from '../../../src/services/page.ts'

type Item = { number: number; text: string }

/** Reads all pages of these items; returns them, and how many rows each read for how many shown. */
async function walk(items: Item[], limit: number, slice?: number) {
  const pages: Item[][] = []
  const read: number[] = []
  let cursor: string | undefined
  do {
    let rows = 0
    const page = await pageOf(
      { limit, ...(cursor !== undefined && { cursor }) },
      byNumber(({ number }: Item) => number, 9),
      async ({ after, limit: most }) => {
        const page = items.filter(({ number }) => after === null || number > after).slice(0, most)
        rows += page.length
        return page
      },
      (item) => item,
      slice === undefined ? {} : { slice },
    )
    pages.push(page.items)
    read.push(rows)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return { pages, read }
}

const bytesOf = (page: Item[]) => page.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0)

it('the pages of a list have every item once, and end before they exceed their bytes or their limit', async () => {
  const sizes = fc.array(fc.oneof(fc.nat(200), fc.nat(400_000), fc.constant(limits.pageBytes + 1)), {
    maxLength: 30,
  })
  await fc.assert(
    fc.asyncProperty(
      sizes,
      fc.integer({ min: 1, max: 12 }),
      fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
      async (drawn, limit, slice) => {
        const items = drawn.map((size, number) => ({ number, text: 'x'.repeat(size) }))
        const { pages, read } = await walk(items, limit, slice)
        expect(pages.flat().map(({ number }) => number)).toEqual(items.map(({ number }) => number))
        for (const [at, page] of pages.entries()) {
          expect(page.length).toBeLessThanOrEqual(limit)
          if (page.length > 1) expect(bytesOf(page)).toBeLessThanOrEqual(limits.pageBytes)
          // Each slice reads one row more than it may show, and the last one may be read in vain.
          if (slice !== undefined)
            expect(read[at]).toBeLessThanOrEqual(page.length + slice + Math.ceil(page.length / slice) + 1)
        }
      },
    ),
    { numRuns: 60 },
  )
})

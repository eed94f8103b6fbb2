import { expect, it } from 'vitest'
import { Carillon, CarillonError } from '../../../client/src/index.ts'

/** A client of a service with these pages, and the cursors that it was asked for. */
function listsOf(pages: Record<string, { items: object[]; nextCursor: string | null }>) {
  const queries: string[] = []
  const service: typeof fetch = async (input) => {
    const { searchParams } = new URL(String(input))
    queries.push(searchParams.toString())
    const page = pages[searchParams.get('cursor') ?? '']
    return Response.json(page ?? { error: { code: 'validation_error', message: 'No.' } }, {
      status: page ? 200 : 400,
    })
  }
  return {
    asked: queries,
    carillon: new Carillon({ baseUrl: 'https://hub.example.org', key: 'k', fetch: service }),
  }
}

async function itemsOf(list: AsyncIterable<unknown>): Promise<unknown[]> {
  const items: unknown[] = []
  for await (const item of list) items.push(item)
  return items
}

const pages = {
  '': { items: [{ id: 1 }, { id: 2 }], nextCursor: 'a' },
  a: { items: [], nextCursor: 'b' },
  b: { items: [{ id: 3 }], nextCursor: null },
}

it('a list that is awaited is one page', async () => {
  const { carillon, asked: queries } = listsOf(pages)
  expect(await carillon.topics.list({ limit: 2 })).toEqual(pages[''])
  expect(queries).toEqual(['limit=2'])
})

it('a list that is iterated is all items, from the page that was asked for', async () => {
  const { carillon, asked: queries } = listsOf(pages)
  expect(await itemsOf(carillon.topics.list({ limit: 2 }))).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  expect(queries).toEqual(['limit=2', 'limit=2&cursor=a', 'limit=2&cursor=b'])
  expect(await itemsOf(carillon.topics.list({ cursor: 'b' }))).toEqual([{ id: 3 }])
})

it('a page is read when its first item is wanted', async () => {
  const { carillon, asked: queries } = listsOf(pages)
  for await (const item of carillon.topics.list()) {
    expect(item).toEqual({ id: 1 })
    break
  }
  expect(queries).toHaveLength(1)
})

it('an error of any page ends the iteration', async () => {
  const { carillon } = listsOf({ '': { items: [{ id: 1 }], nextCursor: 'gone' } })
  await expect(itemsOf(carillon.topics.list())).rejects.toBeInstanceOf(CarillonError)
  await expect(itemsOf(carillon.topics.list({ cursor: 'x' }))).rejects.toBeInstanceOf(CarillonError)
})

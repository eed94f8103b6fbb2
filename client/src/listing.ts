import type { Send } from './transport.ts'

type PageOf<Item> = { items: Item[]; nextCursor: string | null }

/**
 * A list. Awaited, it is one page, whose `nextCursor` is the `cursor` of the next. Iterated, it is every item of this page
 * and of those behind it, each page read when its first item is wanted.
 *
 * @example
 * const { items, nextCursor } = await carillon.topics.list({ limit: 20 })
 * for await (const message of carillon.messages.list({ state: ['sent'] })) console.log(message.id)
 */
export type Listing<Page extends PageOf<unknown>> = Promise<Page> & AsyncIterable<Page['items'][number]>

/** Reads a list from the page that `query` names. The first page is requested at once. */
export function listing<Item>(send: Send, path: string, query: object): Listing<PageOf<Item>> {
  const read = (cursor?: string) =>
    send<PageOf<Item>>('GET', path, { query: cursor === undefined ? { ...query } : { ...query, cursor } })
  const first = read()
  async function* items(): AsyncGenerator<Item, void> {
    let page = await first
    yield* page.items
    while (page.nextCursor !== null) {
      page = await read(page.nextCursor)
      yield* page.items
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items })
}

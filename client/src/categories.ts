import { type Listing, listing } from './listing.ts'
import type { Send } from './transport.ts'
import type { CategoryPage, PageQuery } from './types.ts'

/** The enabled categories, each with its rules. `carillon.key.get()` says which of them a key may use. */
export class Categories {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** By id. */
  list(query: PageQuery = {}): Listing<CategoryPage> {
    return listing(this.#send, '/v1/categories', query)
  }
}

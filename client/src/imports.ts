import { type Listing, listing } from './listing.ts'
import type { Send } from './transport.ts'
import type { Import, ImportPage, ImportQuery, PageQuery, RejectedLinePage } from './types.ts'

/** Imports of subjects from files, with a key of an administrative unit. */
export class Imports {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /**
   * Uploads a file of up to 64 MiB, which workers write in the background. `ref`: the campaign or intake, the
   * acquisition of new subjects. Importing the same file again changes nothing.
   *
   * @example
   * const file = new Blob([await readFile('students.csv')])
   * const { id } = await carillon.imports.create(file, 'text/csv')
   * const { state, written, rejected } = await carillon.imports.get(id)
   */
  create(
    file: string | Blob,
    contentType: 'text/csv' | 'application/x-ndjson',
    query: ImportQuery = {},
  ): Promise<Import> {
    return this.#send('POST', '/v1/imports', {
      query,
      raw: file,
      headers: { 'content-type': contentType },
    })
  }

  /** Newest first. */
  list(query: PageQuery = {}): Listing<ImportPage> {
    return listing(this.#send, '/v1/imports', query)
  }

  /** Its state and progress, in lines. */
  get(id: string): Promise<Import> {
    return this.#send('GET', pathOf(id))
  }

  /** The lines that were rejected, with the reason, in the order of the file. */
  rejected(id: string, query: PageQuery = {}): Listing<RejectedLinePage> {
    return listing(this.#send, `${pathOf(id)}/rejected`, query)
  }
}

function pathOf(id: string): string {
  return `/v1/imports/${encodeURIComponent(id)}`
}

import { type Listing, listing } from './listing.ts'
import type { Send } from './transport.ts'
import type { MediaListQuery, MediaPage, Media as Picture } from './types.ts'

/** Pictures of the unit, for its messages. */
export class Media {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /**
   * Uploads a picture of up to 10 MiB, and returns the addresses at which recipients load it.
   *
   * @example
   * const { url, previewUrl } = await carillon.media.upload(new Blob([await readFile('campus.jpg')]), 'image/jpeg')
   * const messages = [{ kind: 'image', url, previewUrl, alt: { 'zh-TW': '校園' } }]
   */
  upload(
    picture: Blob,
    contentType: 'image/jpeg' | 'image/png' | 'image/webp',
    query: { unitId?: string | undefined } = {},
  ): Promise<Picture> {
    return this.#send('POST', '/v1/media', { query, raw: picture, headers: { 'content-type': contentType } })
  }

  /** Newest first. */
  list(query: MediaListQuery = {}): Listing<MediaPage> {
    return listing(this.#send, '/v1/media', query)
  }

  /** Its addresses, and its size. */
  get(id: string): Promise<Picture> {
    return this.#send('GET', `/v1/media/${encodeURIComponent(id)}`)
  }
}

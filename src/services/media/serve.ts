import { LRUCache } from 'lru-cache'
import { findByToken } from '../../db/queries/media/media.ts'
import type { KeptType } from '../../db/tables/media.ts'
import type { Services } from '../context.ts'
import { createSemaphore } from '../semaphore.ts'
import { fileName, type MediaFile } from './store.ts'

/**
 * What it takes to serve pictures to everybody: `readers` read from a store at a time, others wait for `waitMs`. Files of up
 * to `keptFileBytes` stay in memory, those that were asked for last, up to `keptBytes` of them.
 */
const serving = { readers: 3, waitMs: 10_000, keptFileBytes: 2 * 1024 * 1024, keptBytes: 16 * 1024 * 1024 }

/** A file as it is served. */
type Served = { type: KeptType; bytes: number; body: Buffer | AsyncIterable<Buffer> }

/** Whether a name can be that of a file. */
export function isFileName(name: string): boolean {
  return named.test(name)
}
const named = /^([A-Za-z0-9_-]{22})(-preview)?\.(?:jpg|png)$/

/**
 * Serves files to whoever has their address, so that they take nothing from others: no file is held as a whole while it is
 * read, and readers have slots of their own.
 */
export function mediaServer({ db, media }: Pick<Services, 'db' | 'media'>) {
  const kept = new LRUCache<string, Buffer>({
    maxSize: serving.keptBytes,
    sizeCalculation: ({ length }) => length + 1,
  })
  const slots = createSemaphore({
    most: serving.readers,
    waitMs: serving.waitMs,
    refusal: 'Too many pictures are being loaded at once. Try again in a moment.',
  })

  /** Reads a file into memory in a slot, if it is small enough to be kept; otherwise it is read as it is sent. */
  async function read(name: string, open: () => Promise<MediaFile | undefined>) {
    return slots('readers', async () => {
      const existing = kept.get(name)
      if (existing) return { bytes: existing.length, body: existing }
      const file = await open()
      if (!file || file.bytes > serving.keptFileBytes) return file && { bytes: file.bytes, body: file.parts }
      const parts: Buffer[] = []
      for await (const part of file.parts) parts.push(part)
      const body = Buffer.concat(parts)
      kept.set(name, body)
      return { bytes: body.length, body }
    })
  }

  return {
    /**
     * The file of this name; undefined if there is none.
     * @throws ServiceError unavailable if too many are being read
     */
    async open(name: string): Promise<Served | undefined> {
      const [, token, small] = named.exec(name) ?? []
      const row = token === undefined ? undefined : await findByToken(db, token)
      const preview = small !== undefined
      if (!row || fileName(row, preview) !== name) return undefined
      const file = await read(name, async () => media?.stores[row.store]?.open(row, preview))
      return file && { type: row.type, ...file }
    },
  }
}

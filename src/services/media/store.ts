import type { Db } from '../../db/connect.ts'
import {
  findFileSize,
  insertFiles,
  type MediaRow,
  type PictureFiles,
  readFile,
} from '../../db/queries/media/media.ts'
import type { MediaStoreName } from '../../db/tables/media.ts'

/** A picture in a store. */
type Stored = Pick<MediaRow, 'id' | 'token' | 'type'>

/** A file, to be read part by part. `bytes`: its size. */
export type MediaFile = { bytes: number; parts: AsyncIterable<Buffer> }

/** Where files of pictures are kept. */
export type MediaStore = {
  put(picture: Stored, files: PictureFiles): Promise<void>
  /** A file; undefined if there is none. */
  open(picture: Stored, preview: boolean): Promise<MediaFile | undefined>
  /** Deletes both files; those that are gone do not matter. */
  remove(picture: Stored): Promise<void>
}

/** The stores that there are, and the one for new pictures. */
export type MediaStores = { [Name in MediaStoreName]?: MediaStore } & { current: MediaStoreName }

/** Keeps pictures beside everything else; its rows delete them. */
export function postgresStore(db: Db): MediaStore {
  return {
    put: ({ id }, files) => insertFiles(db, id, files),
    async open({ id: mediaId }, preview) {
      const bytes = await findFileSize(db, mediaId, preview)
      return bytes === undefined ? undefined : { bytes, parts: readFile(db, { mediaId, preview, bytes }) }
    },
    remove: async () => {},
  }
}

const extensions = { 'image/jpeg': 'jpg', 'image/png': 'png' } as const

/** The name of a file of a picture, in its address and in a store. */
export function fileName({ token, type }: Pick<MediaRow, 'token' | 'type'>, preview: boolean): string {
  return `${token}${preview ? '-preview' : ''}.${extensions[type]}`
}

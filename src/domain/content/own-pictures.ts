import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Violation } from '../audience/audience.ts'
import { mapTexts } from './texts.ts'

/** A picture of the installation itself in a content, by the token that names it. */
type OwnPicture = { path: string; token: string }

/** The token in the address of a picture of the installation, whose pictures are below `base`; null: of no such picture. */
export function pictureToken(base: string, url: string): string | null {
  if (!url.startsWith(base)) return null
  return /^([A-Za-z0-9_-]{22})(?:-preview)?\.(?:jpg|png)$/.exec(url.slice(base.length))?.[1] ?? ''
}

/** The addresses below `base` in a content, with their paths, such as `[0].url`. A token is empty where an address names no picture at all. */
export function ownPictures(messages: readonly CanonicalMessage[], base: string): OwnPicture[] {
  const pictures: OwnPicture[] = []
  mapTexts(messages, (text, path, use) => {
    const token = use === 'url' ? pictureToken(base, text) : null
    if (token !== null) pictures.push({ path, token })
    return text
  })
  return pictures
}

/** The violation of the address of a picture that the unit does not have. */
export function unknownPicture(path: string): Violation {
  return {
    path,
    code: 'unknown_media',
    message: {
      'zh-TW': '這個網址沒有這個單位的圖片：可能已經刪除，或屬於其他單位。請重新上傳，再換成新的網址。',
      en: 'The unit has no picture at this address: it may have been deleted, or belong to another unit. Upload it, and use the new address.',
    },
  }
}

import { pictureToken } from '../../../domain/content/own-pictures.ts'
import { mediaPath } from '../../../services/media/media.ts'

/**
 * Where a page loads a picture of this installation: from the host of the page, so that nobody else learns who looks at it.
 * null: it is of another host. `pictures`: what the addresses of own pictures begin with; null: there are none.
 */
export function ownPictureAt(pictures: string | null | undefined, url: string): string | null {
  return pictures && pictureToken(pictures, url) ? `${mediaPath}${url.slice(pictures.length)}` : null
}

import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Db } from '../../db/connect.ts'
import { findTokens } from '../../db/queries/media/media.ts'
import type { Violation } from '../../domain/audience/audience.ts'
import { ownPictures, unknownPicture } from '../../domain/content/own-pictures.ts'
import type { Services } from '../context.ts'
import { mediaPath } from './media.ts'

/** What the addresses of this installation's pictures begin with. */
export function pictureBase({ url }: NonNullable<Services['media']>): string {
  return `${url}${mediaPath}`
}

/** The same; null where there are none. */
export function picturesOf({ media }: Pick<Services, 'media'>): string | null {
  return media ? pictureBase(media) : null
}

/** The violations of pictures of this installation that the unit does not have. Reads only if a content names some. */
export async function unknownPictures(
  { media }: Pick<Services, 'media'>,
  db: Db,
  unitId: string,
  messages: readonly CanonicalMessage[],
): Promise<Violation[]> {
  const named = media ? ownPictures(messages, pictureBase(media)) : []
  if (named.length === 0) return []
  const tokens = await findTokens(
    db,
    unitId,
    named.map(({ token }) => token),
  )
  return named
    .filter(({ token }) => !tokens.includes(token))
    .map(({ path }) => unknownPicture(`messages${path}`))
}

import { randomBytes } from 'node:crypto'
import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Media, MediaListQuery, MediaPage } from '../../contract/media.ts'
import { type Broken, broken } from '../../contract/rules.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import {
  endStoring,
  findMedia,
  insertMedia,
  listMedia as listRows,
  type MediaRow,
} from '../../db/queries/media/media.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { assertRoomFor } from '../bounds.ts'
import type { Services } from '../context.ts'
import { byId, pageOf } from '../page.ts'
import { assertMayEdit, findInUnits, unitOf } from '../unit-access.ts'
import { limitedBytes } from '../upload/bytes.ts'
import { requestError } from '../validation-error.ts'
import type { Drawn, PictureFault } from './pictures.ts'
import { fileName, type MediaStores } from './store.ts'

/** Where the files of pictures are: `<base URL>/media/<name>`. */
export const mediaPath = '/media/'

/** Bytes of the token that names a picture in its address: 22 characters of base64url. */
const tokenBytes = 16

/**
 * Takes a picture, draws it again and keeps it. A file that is cut off, or that is no picture, leaves nothing.
 * @throws ServiceError unit_required, forbidden, payload_too_large, validation_error, not_configured; RetryLater
 */
export async function createMedia(
  services: Services,
  principal: Principal,
  named: string | undefined,
  bytes: AsyncIterable<Buffer>,
): Promise<Media> {
  const unitId = unitOf(principal, named)
  assertMayEdit(principal, unitId)
  const { stores, pictures } = requireMedia(services)
  const parts: Buffer[] = []
  for await (const part of limitedBytes(bytes, limits.mediaBytes)) parts.push(part)
  const drawn = await pictures.draw(unitId, Buffer.concat(parts))
  if (typeof drawn === 'string') throw requestError(refusals[drawn], { path: '', ...faults[drawn] })
  return keep(services, stores, { unitId, createdBy: actorOf(principal) }, drawn)
}

/** The row comes first and is found last, so that no file is ever without one. */
async function keep(
  services: Services,
  stores: MediaStores,
  by: { unitId: string; createdBy: string },
  { whole, preview, ...facts }: Drawn,
): Promise<Media> {
  const { db } = services
  const row = { ...facts, token: randomBytes(tokenBytes).toString('base64url'), store: stores.current }
  const id = await db.transaction().execute(async (trx) => {
    await assertRoomFor(trx, 'media', by.unitId)
    return insertMedia(trx, { ...row, ...by })
  })
  await stores[stores.current]!.put({ ...row, id }, { whole, preview })
  await db.transaction().execute(async (trx) => {
    await endStoring(trx, id)
    const { unitId, createdBy: actor } = by
    await insertAudit(trx, { unitId, actor, action: 'create', objectKind: 'media', objectId: id })
  })
  return viewOf(services, { ...row, id })
}

/** @throws ServiceError not_found */
export async function getMedia(services: Services, principal: Principal, id: string): Promise<Media> {
  return viewOf(services, await findInUnits(services.db, principal, id, 'picture', findMedia))
}

/**
 * One page of a unit's pictures, newest first.
 * @throws ServiceError unit_required, forbidden, validation_error for an invalid cursor
 */
export async function listMedia(
  services: Services,
  principal: Principal,
  query: MediaListQuery,
): Promise<MediaPage> {
  const unitId = unitOf(principal, query.unitId)
  return pageOf(
    query,
    byId,
    (page) => listRows(services.db, unitId, page),
    (row) => viewOf(services, row),
  )
}

function viewOf({ media }: Services, row: MediaRow): Media {
  const urlOf = (preview: boolean) => `${media?.url ?? ''}${mediaPath}${fileName(row, preview)}`
  const { id, width, height } = row
  return { id, url: urlOf(false), previewUrl: urlOf(true), width, height }
}

/** @throws ServiceError not_configured */
function requireMedia({ media }: Services): NonNullable<Services['media']> {
  if (media) return media
  throw new ServiceError(
    'not_configured',
    'Pictures need a public address from which recipients load them. Ask the operator to set one, or link to a picture ' +
      'elsewhere.',
  )
}

const mostPixels = limits.mediaPixels.toLocaleString('en')

const faults: Record<PictureFault, Broken> = {
  unreadable: broken('wrong_format', { format: 'picture' }),
  too_many_pixels: broken('too_many', { limit: limits.mediaPixels, unit: 'pixels' }),
  too_slow: broken('too_slow'),
}

const refusals: Record<PictureFault, string> = {
  unreadable: 'Send a picture as JPEG, PNG or WebP: these bytes are none, or are incomplete.',
  too_many_pixels: `Send a picture of at most ${mostPixels} pixels. Make it smaller first.`,
  too_slow: 'This picture takes too long to draw. Save it anew with another program, and send that.',
}

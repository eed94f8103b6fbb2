import type { CreateEventKey, EventKey, IssuedEventKey } from '../../contract/admin/event-key.ts'
import type { KeyListQuery } from '../../contract/admin/key.ts'
import { ServiceError } from '../../contract/errors.ts'
import { broken } from '../../contract/rules.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import {
  findSourceUse,
  insertEventKey,
  listEventKeys as listRows,
  lockSources,
  type EventKey as Row,
  revokeEventKey as revokeRow,
} from '../../db/queries/event/signing-key.ts'
import { takeClaims } from '../../db/queries/event/source-claim.ts'
import { findUnit } from '../../db/queries/identity/unit.ts'
import { randomSecret, randomToken } from '../../signing.ts'
import { assertRoomFor } from '../bounds.ts'
import type { Services } from '../context.ts'
import { eventKeyContext } from '../events/issued-secret.ts'
import { byTextId, type Page, pageOf } from '../page.ts'
import { requireSecrets } from '../secret-box.ts'
import { validationError } from '../validation-error.ts'

export async function listEventKeys({ db }: Services, query: KeyListQuery): Promise<Page<EventKey>> {
  const { unitId } = query
  return pageOf(query, byTextId, (page) => listRows(db, { unitId, ...page }), toEventKey)
}

const keyIdLength = 12
/** Keys of a unit that may sign events of one source: the one that is used, and the one that replaces it. */
const keysPerSource = 2

/**
 * Issues a signing key for events of a unit's sources, which claims them for it. A source is of one unit: keys of two
 * could take each other's event ids (docs/design/events.md).
 * @throws ServiceError not_found for the unit; validation_error for a source of another unit, or one with two active
 *   keys; not_configured without SECRETS_KEY
 */
export async function createEventKey(
  services: Services,
  actor: string,
  { unitId, name, sources }: CreateEventKey,
): Promise<IssuedEventKey> {
  const { db } = services
  const secrets = requireSecrets(services)
  if (!(await findUnit(db, unitId))) throw new ServiceError('not_found', `No unit ${unitId}. Check the id.`)
  const id = randomToken(keyIdLength)
  const secret = randomSecret()
  await db.transaction().execute(async (trx) => {
    await lockSources(trx, sources)
    const use = await findSourceUse(trx, unitId, sources)
    const issues = use.flatMap(({ active, foreign }, index) => {
      const rule = foreign ? foreignSource : active >= keysPerSource ? enoughKeys : null
      return rule === null ? [] : [{ path: `sources[${index}]`, ...rule }]
    })
    if (issues.length > 0) throw validationError(issues)
    await assertRoomFor(trx, 'eventKeys', unitId)
    const sealed = secrets.seal(secret, eventKeyContext(id))
    await insertEventKey(trx, { id, unitId, name, sources, secret: sealed, createdBy: actor })
    await takeClaims(trx, { unitId, sources, claimedBy: actor })
    const about = { unitId, objectKind: 'event_key', objectId: id } as const
    await insertAudit(trx, { ...about, actor, action: 'create', details: { sources } })
  })
  return { id, secret }
}

const foreignSource = broken('taken', { of: 'source' })
const enoughKeys = broken('limit_reached', { limit: keysPerSource, of: 'active_keys' })

/**
 * Revokes a signing key, effective immediately; what it has signed before stays.
 * @throws ServiceError not_found
 */
export async function revokeEventKey({ db }: Services, actor: string, id: string): Promise<EventKey> {
  return db.transaction().execute(async (trx) => {
    const revoked = await revokeRow(trx, id)
    if (!revoked)
      throw new ServiceError(
        'not_found',
        `No active signing key ${id}: it does not exist or has been revoked.`,
      )
    const about = { unitId: revoked.unitId, objectKind: 'event_key', objectId: id } as const
    await insertAudit(trx, { ...about, actor, action: 'revoke' })
    return toEventKey(revoked)
  })
}

function toEventKey({ createdAt, revokedAt, ...key }: Row): EventKey {
  return { ...key, createdAt: createdAt.toISOString(), revokedAt: revokedAt?.toISOString() ?? null }
}

import type {
  FindSuppression,
  FoundSuppression,
  LiftSuppression,
  Suppression,
} from '../../contract/admin/suppression.ts'
import type { ServerVerdict } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import { broken } from '../../contract/rules.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findSubjectByAddress } from '../../db/queries/subject/address.ts'
import {
  deleteSuppression,
  deleteSuppressions,
  findSuppression,
  type ListedSuppression,
  listSuppressions,
  type Suppression as Row,
  type SuppressionFilter,
} from '../../db/queries/subject/suppression.ts'
import { addressHasher } from '../address-hash.ts'
import type { Services } from '../context.ts'
import { normaliseAddress } from '../subjects/addresses.ts'
import { validationError } from '../validation-error.ts'

type Store = Pick<Services, 'db' | 'secrets'>
type Target = FindSuppression

/**
 * Whether an address is suppressed, in any spelling. Audited: the answer is about a person.
 * @throws ServiceError validation_error, not_configured
 */
export async function lookUpSuppression(
  services: Store,
  actor: string,
  target: Target,
): Promise<FoundSuppression> {
  const { channel, hash } = await hashed(services, target)
  const row = await findSuppression(services.db, channel, hash)
  const about = { unitId: null, actor, objectKind: 'address', objectId: hash.toString('hex') } as const
  await insertAudit(services.db, {
    ...about,
    action: 'look_up',
    details: { channel, found: row !== undefined },
  })
  return { suppression: row ? suppressionOf(channel, row) : null }
}

/**
 * Lifts the suppression of an address: it is sent to again, regardless of the person it is bound to.
 * @throws ServiceError validation_error, not_found if the address is not suppressed, not_configured
 */
export async function liftSuppression(
  services: Store,
  actor: string,
  { reason, ...target }: LiftSuppression,
): Promise<Suppression> {
  const { channel, address, hash } = await hashed(services, target)
  return services.db.transaction().execute(async (trx) => {
    const row = await deleteSuppression(trx, channel, hash)
    if (!row)
      throw new ServiceError('not_found', 'This address is not suppressed. Check channel and address.')
    const suppression = suppressionOf(channel, row)
    const subjectId = await findSubjectByAddress(trx, channel, address)
    await insertAudit(trx, {
      unitId: null,
      actor,
      action: 'lift',
      objectKind: 'address',
      objectId: hash.toString('hex'),
      reason,
      details: {
        channel,
        since: suppression.since,
        why: row.why,
        ...(subjectId !== undefined && { subjectId }),
      },
    })
    return suppression
  })
}

/** A suppression as operators read it: whose the address is, never the address. */
type SuppressedItem = ReturnType<typeof itemOf>

/** The suppressions that a filter names, the newest first. Audited, as a look-up is. */
export async function listSuppressed(
  db: Db,
  actor: string,
  filter: SuppressionFilter,
  limit: number,
): Promise<SuppressedItem[]> {
  const rows = await listSuppressions(db, filter, limit)
  await insertAudit(db, {
    unitId: null,
    actor,
    action: 'list',
    objectKind: 'address',
    objectId: 'suppressed',
    details: { since: filter.since.toISOString(), why: filter.whys, found: rows.length },
  })
  return rows.map(itemOf)
}

/** Lifts what mail servers had suppressed since an instant; each is audited by its hash and its subject. */
export async function liftSince(
  db: Db,
  actor: string,
  reason: string,
  { since, whys }: { since: Date; whys: readonly ServerVerdict[] },
): Promise<SuppressedItem[]> {
  return db.transaction().execute(async (trx) => {
    const rows = await deleteSuppressions(trx, { since, whys })
    for (const row of rows) await auditLift(trx, actor, reason, row)
    return rows.map(itemOf)
  })
}

/** Writes the audit row of a suppression that was lifted with others. */
export function auditLift(trx: Trx, actor: string, reason: string, row: ListedSuppression): Promise<void> {
  const { channel, since, why, server, subjectId } = row
  return insertAudit(trx, {
    unitId: null,
    actor,
    action: 'lift',
    objectKind: 'address',
    objectId: row.hash.toString('hex'),
    reason,
    details: { channel, since: since.toISOString(), why, server, ...(subjectId !== null && { subjectId }) },
  })
}

function itemOf({ channel, since, why, server, uid, subjectId }: ListedSuppression) {
  return { channel, since: since.toISOString(), why, server, uid, subjectId }
}

async function hashed({ db, secrets }: Store, { channel, address: text }: Target) {
  const address = normaliseAddress(channel, text)
  if (address === null)
    throw validationError([{ path: 'address', ...broken('wrong_format', { format: `${channel}_address` }) }])
  const hashOf = await addressHasher(db, secrets)
  return { channel, address, hash: hashOf(channel, address) }
}

function suppressionOf(channel: Suppression['channel'], { since, why }: Row): Suppression {
  return { channel, since: since.toISOString(), reason: why }
}

import { ServiceError } from '../../contract/errors.ts'
import { bounds } from '../../contract/limits.ts'
import { broken } from '../../contract/rules.ts'
import type { CreateSchedule, Schedule } from '../../contract/schedules/schedule.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findUnit } from '../../db/queries/identity/unit.ts'
import { databaseNow } from '../../db/queries/message/message.ts'
import { findByKey, insertSchedule } from '../../db/queries/schedule/schedule.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { firstDue, type When } from '../../domain/schedule/occurrence.ts'
import { sha256 } from '../../signing.ts'
import { tooMany } from '../bounds.ts'
import type { Services } from '../context.ts'
import { assertMayAsk } from '../messages/rights.ts'
import { orNotFound, unitOf } from '../unit-access.ts'
import { validationError } from '../validation-error.ts'
import { checkedColumns } from './content.ts'
import { getSchedule } from './read.ts'
import { whenColumns, whenIn } from './timing.ts'

/**
 * Creates a schedule, once per unit and key. A known key returns its schedule as it is now.
 * @throws ServiceError unit_required, forbidden, idempotency_mismatch, invalid_transition if the schedule of the key has been
 *   deleted, validation_error, and what `checkedColumns` throws
 */
export async function createSchedule(
  services: Services,
  principal: Principal,
  idempotencyKey: string | null,
  { unitId: named, ...body }: CreateSchedule,
): Promise<{ schedule: Schedule; created: boolean }> {
  const { db } = services
  const unitId = unitOf(principal, named)
  const key = { unitId, idempotencyKey, bodyHash: sha256(canonicalJson(body)) }
  const scheduleId = await findKnown(db, key)
  if (scheduleId !== null)
    return { schedule: await getSchedule(services, principal, scheduleId), created: false }
  assertMayAsk(principal, 'create', unitId)
  const id = await db.transaction().execute((trx) => insert(services, trx, principal, { key, body }))
  if (id !== null) services.wake('schedule', id, [{ name: 'started', by: actorOf(principal) }])
  // A concurrent request with the same key has committed: its schedule is the answer.
  const schedule = await getSchedule(services, principal, id ?? (await findKnown(db, key))!)
  return { schedule, created: id !== null }
}

type Key = { unitId: string; idempotencyKey: string | null; bodyHash: Buffer }

/** The schedule that was created with the key. */
async function findKnown(db: Db, { unitId, idempotencyKey, bodyHash }: Key): Promise<string | null> {
  const existing = idempotencyKey === null ? undefined : await findByKey(db, unitId, idempotencyKey)
  if (!existing) return null
  const { id, deletedAt } = existing
  if (deletedAt)
    throw new ServiceError(
      'invalid_transition',
      'The schedule of this Idempotency-Key has been deleted. Use a new key for a new schedule.',
      { state: 'deleted', by: null, at: deletedAt.toISOString() },
    )
  if (existing.bodyHash?.equals(bodyHash)) return id
  throw new ServiceError(
    'idempotency_mismatch',
    'This Idempotency-Key was used with a different body. Use a new key for a new schedule.',
    { id },
  )
}

/** Null: a schedule has the key by now. */
async function insert(
  services: Services,
  trx: Trx,
  principal: Principal,
  { key, body }: { key: Key; body: Omit<CreateSchedule, 'unitId'> },
): Promise<string | null> {
  const { unitId, idempotencyKey, bodyHash } = key
  const { name, type, message, scenario, enabled = true, ...fields } = body
  const { timeZone } = orNotFound(await findUnit(trx, unitId), 'unit')
  const when = whenIn(type, fields, { timeZone })
  const columns = await checkedColumns(services, trx, principal, unitId, { message, scenario })
  const by = actorOf(principal)
  const inserted = await insertSchedule(
    trx,
    {
      unit_id: unitId,
      name,
      type,
      ...whenColumns(when),
      ...columns,
      ...(idempotencyKey !== null && { idempotency_key: idempotencyKey, body_hash: bodyHash }),
      ...stateOf(enabled, await dueAt(trx, when)),
      acts_for: by,
      authors: [by],
      created_by: by,
    },
    bounds.schedules.most,
  )
  if (inserted === 'taken') return null
  if (inserted === 'full') throw tooMany('schedules')
  await auditSchedule(trx, by, 'create', { id: inserted.id, unitId }, { type, enabled })
  return inserted.id
}

/**
 * When a schedule that is enabled now is due.
 * @throws ServiceError validation_error if that is past
 */
export async function dueAt(trx: Trx, when: When): Promise<Date> {
  const due = firstDue(when, await databaseNow(trx))
  if (due !== null) return new Date(due)
  throw validationError([{ path: 'at', ...broken('in_the_past') }])
}

/** The columns that say whether a schedule is due. */
export function stateOf(enabled: boolean, due: Date) {
  return enabled
    ? ({ state: 'active', disabled_reason: null, next_at: due } as const)
    : ({ state: 'disabled', disabled_reason: 'by_caller', next_at: null } as const)
}

/** Writes the audit row of what happened to a schedule. */
export function auditSchedule(
  trx: Trx,
  actor: string,
  action: 'create' | 'edit' | 'delete' | 'disable' | 'retry',
  { id, unitId }: { id: string; unitId: string },
  details?: object,
): Promise<void> {
  const about = { unitId, actor, objectKind: 'schedule', objectId: id } as const
  return insertAudit(trx, { ...about, action, ...(details && { details }) })
}

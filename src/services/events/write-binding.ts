import { ServiceError } from '../../contract/errors.ts'
import type {
  CreateEventBinding,
  EventBindingDetail,
  UpdateEventBinding,
} from '../../contract/events/binding.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import {
  deleteBinding as deleteRow,
  findBinding,
  findLastMaking,
  findPairHolder,
  insertBinding,
  insertBindingVersion,
  lockBinding,
  type EventBinding as Row,
} from '../../db/queries/event/binding.ts'
import { insertVersionNotices } from '../../db/queries/message/notice.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import { type BindingRule, narrows, takesEffectAtOnce } from '../../domain/event/binding-change.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'
import { takenPair } from '../../domain/rights/allowed-decision.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { assertRoomFor } from '../bounds.ts'
import type { Services } from '../context.ts'
import { assertMayAsk } from '../messages/rights.ts'
import { findInUnits, orNotFound, unitOf, unitsOf } from '../unit-access.ts'
import {
  bindingDetail,
  checkBody,
  fieldsOf,
  isContentApproved,
  lastChangeOf,
  ruleIn,
  ruleOf,
} from './binding-fields.ts'

/**
 * Binds events of a source and type to a category, template and audience: in force at once, or as a version that
 * waits for an approver (docs/design/events.md).
 * @throws ServiceError unit_required, forbidden, invalid_transition if another binding is enabled, and what
 *   `checkBody` throws
 */
export function createBinding(
  services: Services,
  principal: Principal,
  { unitId: named, ...body }: CreateEventBinding,
): Promise<EventBindingDetail> {
  const unitId = unitOf(principal, named)
  assertMayAsk(principal, 'create', unitId)
  return write(services, principal, async (trx) => {
    await checkBody(services, trx, principal, unitId, body)
    await assertRoomFor(trx, 'bindings', unitId)
    const id = await insertBinding(trx, unitId)
    await addVersion(trx, principal, { id, unitId, inForce: null }, ruleIn(body), 'create')
    return bindingDetail(trx, principal, orNotFound(await findBinding(trx, id, [unitId]), 'event binding'))
  })
}

/**
 * Changes the given fields, for events from now on: of the version that waits for approval if there is one, otherwise
 * of the one in force. A change that narrows the one in force takes effect on it at once, also while another version
 * waits. A change that only disables the binding needs no rights to its category and audience.
 * @throws ServiceError not_found, forbidden, and what `createBinding` throws
 */
export function changeBinding(
  services: Services,
  principal: Principal,
  id: string,
  body: UpdateEventBinding,
): Promise<EventBindingDetail> {
  return write(services, principal, async (trx) => {
    const row = await writableBinding(trx, principal, id)
    const { inForce, newest, unit_id: unitId } = row
    const base = newest.state === 'rejected' && inForce ? inForce : newest
    const rule = changed(ruleOf(base), body)
    if (!onlySwitchesOff(body)) await checkBody(services, trx, principal, unitId, { ...rule, ...body })

    if (canonicalJson(rule) === canonicalJson(ruleOf(base))) return bindingDetail(trx, principal, row)
    const parts = { id, unitId, inForce: inForce && ruleOf(inForce) }
    if (inForce && base !== inForce && !(await atOnce(trx, parts, rule))) {
      const narrowed = changed(ruleOf(inForce), body)
      if (narrows(narrowed, ruleOf(inForce))) await addVersion(trx, principal, parts, narrowed, 'edit')
    }
    await addVersion(trx, principal, parts, rule, 'edit')
    return bindingDetail(trx, principal, await findInUnits(trx, principal, id, 'event binding', findBinding))
  })
}

/** A rule with the given fields changed; how runs start goes with the scenario. */
function changed(rule: BindingRule, body: UpdateEventBinding): BindingRule {
  return ruleIn({ ...rule, ...body })
}

function onlySwitchesOff(body: UpdateEventBinding): boolean {
  return body.enabled === false && Object.keys(body).length === 1
}

type Parts = { id: string; unitId: string; inForce: BindingRule | null }

async function atOnce(trx: Trx, { id, unitId, inForce }: Parts, rule: BindingRule): Promise<boolean> {
  const { source, type } = rule
  const last = await findLastMaking(trx, { id, unitId, source, type })
  const before = { inForce, lastMaking: last ? ruleOf(last) : null }
  return takesEffectAtOnce(rule, before, await isContentApproved(trx, unitId, rule))
}

/** Adds a version, in force at once or for approval; then the unit's approvers are notified. */
async function addVersion(
  trx: Trx,
  principal: Principal,
  parts: Parts,
  rule: BindingRule,
  action: 'create' | 'edit',
): Promise<void> {
  const { id, unitId } = parts
  const fields = fieldsOf(rule)
  if (rule.enabled && (await findPairHolder(trx, rule, id))) throw new PairTaken(rule)
  const state = (await atOnce(trx, parts, rule)) ? 'in_force' : 'submitted'
  await assertRoomFor(trx, 'bindingVersions', id)
  const inserted = insertBindingVersion(trx, id, { fields, state, createdBy: actorOf(principal) })
  const version = await claimingPair(rule, inserted)
  await auditBinding(trx, principal, action, { id, unitId, rule, version, state })
  if (state === 'submitted') await insertVersionNotices(trx, 'event_binding', { id, unitId, version })
}

/**
 * Deletes a binding with its versions. Its events get no_binding from now on.
 * @throws ServiceError not_found, forbidden
 */
export function deleteBinding(
  services: Services,
  principal: Principal,
  id: string,
): Promise<{ deleted: true }> {
  return write(services, principal, async (trx) => {
    const row = await writableBinding(trx, principal, id)
    await deleteRow(trx, id)
    await auditBinding(trx, principal, 'delete', currentOf(row))
    return { deleted: true }
  })
}

/**
 * Locks a binding that the caller may write.
 * @throws ServiceError not_found, forbidden
 */
export async function writableBinding(trx: Trx, principal: Principal, id: string): Promise<Row> {
  const row = await findInUnits(trx, principal, id, 'event binding', lockBinding)
  assertMayAsk(principal, 'create', row.unit_id)
  return row
}

/** What the audit log says of a version. */
type AuditedVersion = Pick<Parts, 'id' | 'unitId'> & {
  rule: BindingRule
  version: number
  state: Row['newest']['state']
}

/** The version of a binding that its top level shows. */
export function currentOf({ id, unit_id: unitId, inForce, newest }: Row): AuditedVersion {
  const { version, state } = inForce ?? newest
  return { id, unitId, rule: ruleOf(inForce ?? newest), version, state }
}

/** Writes the audit row of a change or a decision. */
export async function auditBinding(
  trx: Trx,
  principal: Principal,
  action: 'create' | 'edit' | 'delete' | 'replay' | 'approve' | 'reject',
  { id, unitId, rule: { source, type, enabled }, version, state }: AuditedVersion,
  reason: string | null = null,
): Promise<void> {
  await insertAudit(trx, {
    unitId,
    actor: actorOf(principal),
    action,
    objectKind: 'event_binding',
    objectId: id,
    ...(reason !== null && { reason }),
    details: { source, type, enabled, version, state },
  })
}

/** Another binding of the pair is enabled. */
class PairTaken extends Error {
  readonly pair: Pair

  constructor({ source, type }: Pair) {
    super('Another binding of this source and type is enabled')
    this.pair = { source, type }
  }
}

type Pair = Pick<BindingRule, 'source' | 'type'>

/** Waits for a write that puts a binding in force, unless another one of the pair has been put in force since. */
export function claimingPair<T>(pair: Pair, attempt: Promise<T>): Promise<T> {
  return attempt.catch((error) => {
    throw isUniqueViolation(error, 'event_binding_in_force') ? new PairTaken(pair) : error
  })
}

/**
 * Runs work on bindings in a transaction.
 * @throws ServiceError invalid_transition if another binding of the pair is in force
 */
export async function write<T>(
  { db }: Services,
  principal: Principal,
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    if (!(error instanceof PairTaken)) throw error
    throw await pairTaken(db, principal, error.pair)
  }
}

/** Who enabled the other binding is shown only to members of its unit. */
async function pairTaken(db: Db, principal: Principal, pair: Pair): Promise<ServiceError> {
  const holder = await findPairHolder(db, pair)
  const own = holder && unitsOf(principal).includes(holder.unit_id)
  return new ServiceError('invalid_transition', takenPair.message, {
    by: null,
    at: null,
    ...(own && lastChangeOf(holder)),
    state: 'bound',
  })
}

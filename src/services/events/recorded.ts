import type { EventAnswer } from '../../contract/events/event.ts'
import type { RecordedEvent, RecordedEventListQuery } from '../../contract/events/recorded.ts'
import type { Db } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { reopenEvent } from '../../db/queries/event/event.ts'
import {
  findRecordedEvent,
  listRecordedEvents as listRows,
  type RecordedEventRow,
} from '../../db/queries/event/recorded.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { toInstant } from '../instants.ts'
import { assertMayAsk } from '../messages/rights.ts'
import { byId, type Page, pageOf } from '../page.ts'
import { findInUnits, unitOf } from '../unit-access.ts'
import { settleEvent } from './settle.ts'

/**
 * One page of the events that a unit's bindings are about, newest first.
 * @throws ServiceError unit_required, forbidden, validation_error for an invalid cursor
 */
export async function listRecordedEvents(
  { db, signingSources }: Services,
  principal: Principal,
  { unitId: named, source, type, error, eventId, messageId, ...query }: RecordedEventListQuery,
): Promise<Page<RecordedEvent>> {
  const of = { source: source ?? null, type: type ?? null, error: error ?? null }
  const only = { eventId: eventId ?? null, messageId: messageId ?? null }
  const filter = { unitId: unitOf(principal, named), ...of, ...only, signingSources }
  return pageOf(query, byId, (page) => listRows(db, { ...filter, ...page }), recordedEventOf)
}

/** @throws ServiceError not_found */
export async function getRecordedEvent(
  services: Services,
  principal: Principal,
  id: string,
): Promise<RecordedEvent> {
  return recordedEventOf(await findOwnEvent(services, services.db, principal, id))
}

/**
 * Processes an event that made nothing again, with the binding in force. Returns its outcome, as sending it again would.
 * @throws ServiceError not_found, forbidden
 */
export async function replayRecordedEvent(
  services: Services,
  principal: Principal,
  id: string,
): Promise<EventAnswer> {
  const key = await services.db.transaction().execute(async (trx) => {
    const { source, event_id: eventId, unitId } = await findOwnEvent(services, trx, principal, id)
    assertMayAsk(principal, 'create', unitId)
    if (await reopenEvent(trx, { source, eventId })) {
      const audit = { unitId, actor: actorOf(principal), action: 'replay' }
      await insertAudit(trx, { ...audit, objectKind: 'event', objectId: id, details: { source, eventId } })
    }
    return { source, eventId }
  })
  return settleEvent(services, key)
}

function findOwnEvent({ signingSources }: Services, handle: Db, principal: Principal, id: string) {
  return findInUnits(handle, principal, id, 'recorded event', (db, uuid, unitIds) =>
    findRecordedEvent(db, uuid, unitIds, signingSources),
  )
}

/** A recorded event as the API returns it. */
export function recordedEventOf(row: RecordedEventRow): RecordedEvent {
  return {
    id: row.id,
    source: row.source,
    eventId: row.unnamed ? null : row.event_id,
    type: row.type,
    occurredAt: toInstant(row.occurred_at),
    receivedAt: row.received_at.toISOString(),
    keyId: row.key_id,
    subjectCount: row.subjectCount,
    unusedVariables: row.unusedVariables,
    warnings: row.warnings,
    messageId: row.message_id,
    runs: row.runs,
    error: row.error,
    details: row.details,
  }
}

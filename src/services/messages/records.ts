import type {
  MessageDelivery,
  MessageDeliveryPage,
  MessageDeliveryQuery,
} from '../../contract/messages/records.ts'
import type { Db } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findUnit } from '../../db/queries/identity/unit.ts'
import { findMessage } from '../../db/queries/message/message.ts'
import {
  listMessageDeliveries as listDeliveryRows,
  type MessageDeliveryCursor,
  type MessageDeliveryRow,
} from '../../db/queries/message/records.ts'
import type { MessageRow } from '../../db/tables.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { namesRefusal } from '../../domain/rights/permission.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { withCountLimit } from '../count-limit.ts'
import { toInstant } from '../instants.ts'
import { type AuditedList, auditedPage, type Key, type PageQuery, pageOf } from '../page.ts'
import { refuse } from '../refuse.ts'
import { subjectNamed } from '../subjects/find.ts'
import { findInUnits } from '../unit-access.ts'

/**
 * One page of a message's deliveries, skipped ones included. The audit log records who read it.
 * @throws ServiceError not_found, forbidden, validation_error; unavailable for a filter by outcome, if the unit has too
 *   many counts running
 */
export async function listMessageDeliveries(
  services: Services,
  principal: Principal,
  id: string,
  query: MessageDeliveryQuery,
): Promise<MessageDeliveryPage> {
  return auditedPage(await deliveriesOf(services, principal, id, query), query)
}

/**
 * The deliveries of a message, to be read page by page or all at once.
 * @throws ServiceError not_found, forbidden
 */
export async function deliveriesOf(
  { db }: Services,
  principal: Principal,
  id: string,
  { state: states, reason, uid }: Omit<MessageDeliveryQuery, keyof PageQuery>,
): Promise<AuditedList<MessageDelivery>> {
  const message = await messageToRead(db, principal, id)
  const about = await subjectNamed(db, uid)
  const filter = { states, reason, subjectId: about ?? undefined }
  // A rare outcome among many is looked for in all deliveries, as a count of people is.
  const looksFor = about === undefined && (states !== undefined || reason !== undefined)
  return {
    audit: (details) => auditReading(db, principal, message, { about, ...details }),
    async page(query) {
      const read = () =>
        pageOf(query, byWaveAndSubject, (page) => listDeliveryRows(db, message.id, filter, page), deliveryOf)
      if (about === null) return nobody
      return looksFor ? withCountLimit(message.unit_id, read) : read()
    },
  }
}

const nobody = { items: [], nextCursor: null }

/** A message whose people the caller may read. */
async function messageToRead(db: Db, principal: Principal, id: string): Promise<MessageRow> {
  const { message } = await findInUnits(db, principal, id, 'message', findMessage)
  const unit = await findUnit(db, message.unit_id)
  refuse(namesRefusal(principal, unit!.kind))
  return message
}

/** Records who read about whom: all people of the message, or the one they asked for. */
function auditReading(
  db: Db,
  principal: Principal,
  { id, unit_id: unitId }: MessageRow,
  { about, ...details }: { about: string | null | undefined },
): Promise<void> {
  return insertAudit(db, {
    unitId,
    actor: actorOf(principal),
    action: 'read',
    objectKind: 'message',
    objectId: id,
    details: { what: 'deliveries', ...(about && { subjectId: about }), ...details },
  })
}

const byWaveAndSubject: Key<MessageDeliveryRow, MessageDeliveryCursor> = {
  of: ({ wave, subjectId, channel }) => `${wave} ${subjectId} ${channel}`,
  read(text) {
    const [wave = '', id, channel = ''] = text.split(' ')
    const subjectId = idOrNull(id)
    const valid = /^[01]$/.test(wave) && /^\w+$/.test(channel)
    return valid && subjectId !== null ? { wave: Number(wave), subjectId, channel } : null
  },
}

function deliveryOf({ wave, at, ...row }: MessageDeliveryRow): MessageDelivery {
  return { ...row, reminder: wave > 0, at: toInstant(at) }
}

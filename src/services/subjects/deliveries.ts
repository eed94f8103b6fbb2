import type {
  SubjectDelivery,
  SubjectDeliveryPage,
  SubjectTurn,
  SubjectTurnPage,
} from '../../contract/subjects/records.ts'
import { listSubjectTurns as listTurns, type SubjectTurnRow } from '../../db/queries/scenario-run/records.ts'
import {
  type DeliveryCursor,
  listSubjectDeliveries as listRows,
  type SubjectDeliveryRow,
} from '../../db/queries/subject/inbox.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { actorOf, type ProducerPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { toInstant } from '../instants.ts'
import { byId, type Key, type PageQuery, pageOf } from '../page.ts'
import { auditReading, findSubjectByName } from './find.ts'

/**
 * One page of a subject's deliveries, skipped ones included, of all units, newest first. The audit log records who read
 * it.
 * @throws ServiceError not_found, validation_error
 */
export async function listSubjectDeliveries(
  { db }: Services,
  principal: ProducerPrincipal,
  named: string,
  query: PageQuery,
): Promise<SubjectDeliveryPage> {
  const { id } = await findSubjectByName(db, named)
  await auditReading(db, { unitId: principal.unitId, actor: actorOf(principal) }, id, 'deliveries')
  return pageOf(query, byWaveAndChannel, (page) => listRows(db, id, page), deliveryOf)
}

const byWaveAndChannel: Key<SubjectDeliveryRow, DeliveryCursor> = {
  of: ({ waveId, channel }) => `${waveId} ${channel}`,
  read(text) {
    const [id, channel = ''] = text.split(' ')
    const waveId = idOrNull(id)
    return waveId !== null && /^\w+$/.test(channel) ? { waveId, channel } : null
  },
}

/** Hides the title of a personal message: it may come from the text, which is for authors and approvers only. */
export function deliveryOf({ waveId, kind, title, at, ...row }: SubjectDeliveryRow): SubjectDelivery {
  return { ...row, title: kind === 'personal' ? null : title, at: toInstant(at) }
}

/**
 * One page of what runs of scenarios said to a subject, of all units, newest first. The audit log records who read it.
 * @throws ServiceError not_found, validation_error
 */
export async function listSubjectTurns(
  { db }: Services,
  principal: ProducerPrincipal,
  named: string,
  query: PageQuery,
): Promise<SubjectTurnPage> {
  const { id } = await findSubjectByName(db, named)
  await auditReading(db, { unitId: principal.unitId, actor: actorOf(principal) }, id, 'turns')
  return pageOf(query, byId, (page) => listTurns(db, id, page), turnOf)
}

function turnOf({ createdAt, firstTryAt, nextTryAt, closedAt, ...turn }: SubjectTurnRow): SubjectTurn {
  return {
    ...turn,
    createdAt: createdAt.toISOString(),
    firstTryAt: toInstant(firstTryAt),
    nextTryAt: toInstant(nextTryAt),
    closedAt: toInstant(closedAt),
  }
}

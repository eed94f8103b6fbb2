import type { SubjectExport } from '../../contract/subjects/records.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findMentions, recordsOf } from '../../db/queries/erasure/record.ts'
import { listSubjectDeliveries } from '../../db/queries/subject/inbox.ts'
import { actorOf, type ProducerPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { deliveryOf } from './deliveries.ts'
import { findSubjectByName, readSubject } from './find.ts'

/**
 * Exports all data of one subject, for the subject. The audit log records who requested it.
 * @throws ServiceError not_found
 */
export async function exportSubject(
  { db }: Services,
  principal: ProducerPrincipal,
  named: string,
): Promise<SubjectExport> {
  const { id, uid } = await findSubjectByName(db, named)
  await insertAudit(db, {
    unitId: principal.unitId,
    actor: actorOf(principal),
    action: 'export',
    objectKind: 'subject',
    objectId: id,
  })
  const deliveries = await listSubjectDeliveries(db, id, { after: null, limit: null })
  return {
    exportedAt: new Date().toISOString(),
    subject: await readSubject(db, id),
    records: { ...(await recordsOf(db, id)), ...(await findMentions(db, { id, uid })) },
    deliveries: deliveries.map(deliveryOf),
  }
}

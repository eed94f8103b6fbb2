import { ServiceError } from '../../contract/errors.ts'
import type { ErasedSubject } from '../../contract/subjects/records.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import {
  clearErasedData,
  deferErasure,
  type Erasure,
  eraseSubject as eraseRows,
  takeErasure,
} from '../../db/queries/erasure/record.ts'
import { actorOf, type ProducerPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { processNext, type Queue } from '../queue.ts'
import { findSubjectByName } from './find.ts'

/**
 * Erases a subject. Deletes their rows immediately; data in provider calls and in messages to them alone that are in
 * flight is cleared as soon as these end. The audit row has only the subject id, which no longer identifies a person.
 * @throws ServiceError not_found
 */
export async function eraseSubject(
  { db }: Services,
  principal: ProducerPrincipal,
  named: string,
): Promise<ErasedSubject> {
  return db.transaction().execute(async (trx) => {
    const subject = await findSubjectByName(trx, named)
    if (!(await eraseRows(trx, subject)))
      throw new ServiceError('not_found', 'This subject has already been erased.')
    await insertAudit(trx, {
      unitId: principal.unitId,
      actor: actorOf(principal),
      action: 'erase',
      objectKind: 'subject',
      objectId: subject.id,
    })
    return { subjectId: subject.id, erasedAt: new Date().toISOString() }
  })
}

/** Completes the next erasure with nothing in flight. Returns false if there is none. */
export function completeNextErasure(services: Pick<Services, 'db' | 'log'>): Promise<boolean> {
  return processNext(services, erasures)
}

const erasures: Queue<Erasure> = {
  take: takeErasure,
  process: clearErasedData,
  defer: async (db, { subjectId }) => ({ subjectId, tries: await deferErasure(db, subjectId) }),
}

import { ServiceError } from '../../contract/errors.ts'
import type { ErasedSubject } from '../../contract/subjects/records.ts'
import { insertAudit } from '../../db/queries/maintenance/audit.ts'
import {
  clearErasedData,
  deferErasure,
  type Erasure,
  eraseSubject as eraseRows,
  takeErasure,
} from '../../db/queries/subject/record.ts'
import { actorOf, type ProducerPrincipal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { processNext, type Queue } from '../queue.ts'
import { findSubjectByName } from './find.ts'

/**
 * Erases a person. What names them is gone at once; from provider calls and messages to them alone that are under way, as
 * soon as these are over. The audit row knows them by our id alone, which names nobody any more.
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
      throw new ServiceError('not_found', 'This subject has just been erased.')
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

/** Completes the next erasure, as far as nothing of it is under way. False: there is none. */
export function completeNextErasure(services: Pick<Services, 'db' | 'log'>): Promise<boolean> {
  return processNext(services, erasures)
}

const erasures: Queue<Erasure> = {
  take: takeErasure,
  work: clearErasedData,
  putOff: async (db, { subjectId }) => ({ subjectId, tries: await deferErasure(db, subjectId) }),
}

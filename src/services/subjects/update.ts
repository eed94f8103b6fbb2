import type { Subject, UpdateSubject } from '../../contract/subjects/subject.ts'
import { insertAudit } from '../../db/queries/maintenance/audit.ts'
import { changeSubjects, type SubjectChange } from '../../db/queries/subject/subject.ts'
import { actorOf, type ProducerPrincipal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { definedAcquisition } from './addresses.ts'
import { lockSubjectByName, readSubject } from './find.ts'

/**
 * Updates a subject with data of another system. An earlier stage is ignored.
 * @throws ServiceError not_found
 */
export async function updateSubject(
  { db }: Services,
  principal: ProducerPrincipal,
  named: string,
  body: UpdateSubject,
): Promise<Subject> {
  return db.transaction().execute(async (trx) => {
    const { id, uid } = await lockSubjectByName(trx, named)
    await changeSubjects(trx, [{ uid, ...changeOf(body) }])
    const { profile, ...rest } = body
    const changed = [...Object.keys(rest), ...Object.keys(profile ?? {}).map((field) => `profile.${field}`)]
    await insertAudit(trx, {
      unitId: principal.unitId,
      actor: actorOf(principal),
      action: 'update',
      objectKind: 'subject',
      objectId: id,
      details: { changed },
    })
    return readSubject(trx, id)
  })
}

/** The given fields: undefined ones are left unchanged. */
function changeOf({ stage, profile, acquisition, tags }: UpdateSubject): Omit<SubjectChange, 'uid'> {
  const change = { stage, ...profile, addTags: tags?.add, removeTags: tags?.remove }
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(given),
    ...(acquisition && { acquisition: definedAcquisition(acquisition) }),
  }
}

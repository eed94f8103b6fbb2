import type { Subject, UpdateSubject } from '../../contract/subjects/subject.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { lockSubject } from '../../db/queries/subject/preference.ts'
import { changeSubjects, type SubjectChange } from '../../db/queries/subject/subject.ts'
import { changedFields } from '../../domain/lib/changed-fields.ts'
import { actorOf, type ProducerPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { definedAcquisition } from './addresses.ts'
import { lockSubjectByName, readSubject } from './find.ts'

/**
 * Updates a subject with data of another system. An earlier stage is ignored. Audits what has changed, if anything.
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
    await lockSubject(trx, id)
    const before = await readSubject(trx, id)
    await changeSubjects(trx, [{ uid, ...changeOf(body) }])
    const after = await readSubject(trx, id)
    const changed = changesOf(before, after)
    if (changed.length > 0)
      await insertAudit(trx, {
        unitId: principal.unitId,
        actor: actorOf(principal),
        action: 'update',
        objectKind: 'subject',
        objectId: id,
        details: { changed },
      })
    return after
  })
}

/** What an update changed, by the names of its fields. */
function changesOf(before: Subject, after: Subject): string[] {
  const { stage, tags, acquisition } = after
  const profile = changedFields(before.profile, after.profile).map((field) => `profile.${field}`)
  return [...changedFields(before, { stage, tags, acquisition }), ...profile]
}

/** The given fields: undefined ones are left unchanged. */
function changeOf({ stage, profile, acquisition, tags }: UpdateSubject): Omit<SubjectChange, 'uid'> {
  const change = { stage, ...profile, addTags: tags?.add, removeTags: tags?.remove }
  const changes = Object.entries(change).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(changes),
    ...(acquisition && { acquisition: definedAcquisition(acquisition) }),
  }
}

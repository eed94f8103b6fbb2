import { ServiceError } from '../../contract/errors.ts'
import type { ResolvedSubjects, ResolveSubjects } from '../../contract/subjects/subject.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { resolveSubjects as readUids } from '../../db/queries/subject/subject.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { actorOf, type ProducerPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'

/**
 * The uids of subjects that Lookups and callbacks have named to the caller's unit. The audit log records whose they were.
 * @throws ServiceError forbidden
 */
export async function resolveSubjects(
  { db }: Pick<Services, 'db'>,
  principal: ProducerPrincipal,
  { ids }: ResolveSubjects,
): Promise<ResolvedSubjects> {
  const { unitId, unitKind, individualTargeting } = principal
  const administrative = unitKind === 'administrative'
  if (!administrative && !individualTargeting)
    throw new ServiceError(
      'forbidden',
      'This key may not resolve subject ids: it lacks the right individualTargeting. Use a key that has it.',
    )
  const uuids = ids.map(idOrNull).filter((id) => id !== null)
  const items = await readUids(db, [...new Set(uuids)], administrative ? null : unitId)
  const about = { unitId, actor: actorOf(principal), objectKind: 'subject', objectId: 'all' } as const
  const details = { what: 'resolve', asked: ids.length, subjectIds: items.map(({ subjectId }) => subjectId) }
  await insertAudit(db, { ...about, action: 'read', details })
  return { items }
}

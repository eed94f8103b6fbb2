import { ServiceError } from '../../contract/errors.ts'
import type { Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { openForRun } from '../../db/queries/handoff/handoff.ts'
import { insertHandoffNotices } from '../../db/queries/handoff/notice.ts'
import type { ObservedRun } from '../../db/queries/scenario-run/observe-run.ts'
import { changeSubjects } from '../../db/queries/subject/subject.ts'
import type { Effect } from '../../domain/scenario/advance.ts'
import { addMembers } from '../groups/members.ts'

/** Who acts when a node of a run changes something: the scenario. */
function actorOf({ run }: ObservedRun): string {
  return `scenario:${run.scenarioId}`
}

/**
 * Applies the effect of a node. A group that has gone, or to whose parent the person does not belong, is left as it is: the
 * run goes on, and the audit log has no entry.
 */
export async function applyEffect(trx: Trx, observation: ObservedRun, effect: Effect): Promise<void> {
  switch (effect.kind) {
    case 'tag':
      return changeTags(trx, observation, effect)
    case 'join':
      return join(trx, observation, effect.groupId)
    case 'handOver':
      return handOver(trx, observation, effect.node)
  }
}

async function changeTags(
  trx: Trx,
  observation: ObservedRun,
  { add, remove }: Extract<Effect, { kind: 'tag' }>,
): Promise<void> {
  const { subjectId, unitId } = observation.run
  await changeSubjects(trx, [{ uid: observation.run.uid, addTags: add, removeTags: remove }])
  await insertAudit(trx, {
    unitId,
    actor: actorOf(observation),
    action: 'update',
    objectKind: 'subject',
    objectId: subjectId,
    details: { changed: ['tags'] },
  })
}

async function join(trx: Trx, observation: ObservedRun, groupId: string): Promise<void> {
  const { subjectId, unitId } = observation.run
  try {
    const { added } = await addMembers(trx, { groupId, unitIds: [unitId] }, { subjectIds: [subjectId] })
    if (added === 0) return
  } catch (error) {
    if (error instanceof ServiceError) return
    throw error
  }
  const details = { added: 1, removed: 0 }
  const group = { unitId, objectKind: 'group', objectId: groupId } as const
  await insertAudit(trx, { ...group, actor: actorOf(observation), action: 'members', details })
}

async function handOver(trx: Trx, observation: ObservedRun, node: string): Promise<void> {
  const { id: runId, unitId, subjectId, test } = observation.run
  const objectId = await openForRun(trx, { unitId, subjectId, runId, node, test })
  await insertHandoffNotices(trx, objectId)
  await insertAudit(trx, {
    unitId,
    actor: actorOf(observation),
    action: 'open',
    objectKind: 'handoff',
    objectId,
  })
}

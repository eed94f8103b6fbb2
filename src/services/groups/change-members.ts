import type { ChangeMembers, MemberPage, MembersChanged } from '../../contract/groups/group.ts'
import { insertGroupChange, lockDefinition } from '../../db/queries/audience/definitions.ts'
import { listMembers as listRows } from '../../db/queries/catalogue/group-members.ts'
import { insertAudit } from '../../db/queries/maintenance/audit.ts'
import { isApprover } from '../../domain/permission.ts'
import { actorOf, type Principal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { type PageQuery, pageOf } from '../page.ts'
import { assertMayWriteGroups } from '../unit-access.ts'
import { idOrNull, validationError } from '../validation-error.ts'
import { ownGroup } from './groups.ts'
import { addMembers, assertStatic, removeMembers } from './members.ts'

const noChange = { added: 0, removed: 0, unknown: 0 }

/**
 * Removes people from a group and adds others, in one transaction. It counts as a change of every audience that names
 * the group.
 * @throws ServiceError not_found, forbidden, group_subset, validation_error for a dynamic group, or if `add` and
 *   `remove` name the same person
 */
export async function changeMembers(
  services: Services,
  principal: Principal,
  id: string,
  body: ChangeMembers,
): Promise<MembersChanged> {
  const group = await ownGroup(services.db, principal, id)
  const { unitId } = group
  assertMayWriteGroups(principal, unitId)
  assertStatic(group)
  const [add, remove] = [new Set(body.add), new Set(body.remove)]
  if ([...remove].some((uid) => add.has(uid)))
    throw validationError([
      { path: 'remove', message: 'contains a uid that add contains too; name it in one of them' },
    ])
  const key = { groupId: id, unitIds: [unitId] }
  const actor = actorOf(principal)
  return services.db.transaction().execute(async (trx) => {
    await lockDefinition(trx, id)
    // Removing takes the stronger lock, so it must come first.
    const removal = remove.size > 0 ? await removeMembers(trx, key, { uids: [...remove] }) : noChange
    const addition = add.size > 0 ? await addMembers(trx, key, { uids: [...add] }) : noChange
    const changed = {
      added: addition.added,
      removed: removal.removed,
      unknown: addition.unknown + removal.unknown,
    }
    if (changed.added + changed.removed > 0) {
      const approver = isApprover(principal, unitId)
      await insertGroupChange(trx, { groupId: id, what: 'members', actor, approver })
    }
    const audit = { unitId, actor, action: 'members', details: changed }
    await insertAudit(trx, { ...audit, objectKind: 'group', objectId: id })
    return changed
  })
}

/**
 * One page of a static group's members, by uid.
 * @throws ServiceError not_found, validation_error for a dynamic group, which has no list of members
 */
export async function listMembers(
  services: Services,
  principal: Principal,
  id: string,
  query: PageQuery,
): Promise<MemberPage> {
  assertStatic(await ownGroup(services.db, principal, id))
  return pageOf(
    query,
    { of: ({ subjectId }: { subjectId: string }) => subjectId, read: idOrNull },
    (page) => listRows(services.db, id, page),
    ({ uid, addedAt }) => ({ uid, addedAt: addedAt.toISOString() }),
  )
}

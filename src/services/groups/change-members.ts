import type { ChangeMembers, MemberAction, MemberPage, MembersChanged } from '../../contract/groups/group.ts'
import { broken } from '../../contract/rules.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { insertGroupChange, lockDefinition } from '../../db/queries/audience/definitions.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { listMembers as listRows, type MemberRefs } from '../../db/queries/catalogue/group-members.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { isApprover } from '../../domain/rights/permission.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { type PageQuery, pageOf } from '../page.ts'
import { assertMayWriteGroups } from '../unit-access.ts'
import { validationError } from '../validation-error.ts'
import { ownGroup } from './groups.ts'
import { addMembers, assertStatic, removeMembers } from './members.ts'

/**
 * Removes people from a group and adds others, in one transaction.
 * @throws ServiceError not_found, forbidden, group_subset, validation_error for a dynamic group, or if `add` and
 *   `remove` name the same person
 */
export async function changeMembers(
  services: Services,
  principal: Principal,
  id: string,
  body: ChangeMembers,
): Promise<MembersChanged> {
  const { unitId } = await editableList(services.db, principal, id)
  const [add, remove] = [new Set(body.add), new Set(body.remove)]
  if ([...remove].some((uid) => add.has(uid)))
    throw validationError([{ path: 'remove', ...broken('added_and_removed', { of: 'uid' }) }])
  const change: MemberChange = {
    ...(add.size > 0 && { add: { uids: [...add] } }),
    ...(remove.size > 0 && { remove: { uids: [...remove] } }),
  }
  return services.db
    .transaction()
    .execute((trx) =>
      writeMembers(trx, principal, { id, unitId }, change, (existing) => add.size + remove.size - existing),
    )
}

/**
 * A static group whose members the caller may change.
 * @throws ServiceError not_found, forbidden, validation_error for a dynamic group
 */
export async function editableList(db: Db, principal: Principal, id: string): Promise<{ unitId: string }> {
  const group = await ownGroup(db, principal, id)
  assertMayWriteGroups(principal, group.unitId)
  assertStatic(group)
  return group
}

/** The people to add and to remove. */
type MemberChange = { [action in MemberAction]?: MemberRefs }

const noChange = { added: 0, removed: 0, known: 0 }

/**
 * Writes a change and, if anybody was added or removed, its audit row. It counts as a change of every audience that
 * names the group. `countUnknown` returns how many of the named people do not exist.
 * @throws ServiceError as `addMembers` and `removeMembers` do
 */
export async function writeMembers(
  trx: Trx,
  principal: Principal,
  { id, unitId }: { id: string; unitId: string },
  { add, remove }: MemberChange,
  countUnknown: (existing: number) => number,
): Promise<MembersChanged> {
  const key = { groupId: id, unitIds: [unitId] }
  const actor = actorOf(principal)
  await lockDefinition(trx, id)
  // Removing takes the stronger lock, so it must come first.
  const removal = remove ? await removeMembers(trx, key, remove) : noChange
  const addition = add ? await addMembers(trx, key, add) : noChange
  const unknownUids = countUnknown(addition.known + removal.known)
  const changed = { added: addition.added, removed: removal.removed, unknownUids }
  if (changed.added + changed.removed === 0) return changed
  const approver = isApprover(principal, unitId)
  await insertGroupChange(trx, { groupId: id, what: 'members', actor, approver })
  const audit = { unitId, actor, action: 'members', details: changed }
  await insertAudit(trx, { ...audit, objectKind: 'group', objectId: id })
  return changed
}

/**
 * One page of a static group's members, by uid. The audit log records who read it: a scenario may add who answered
 * something.
 * @throws ServiceError not_found, validation_error for a dynamic group, which has no list of members
 */
export async function listMembers(
  services: Services,
  principal: Principal,
  id: string,
  query: PageQuery,
): Promise<MemberPage> {
  const group = await ownGroup(services.db, principal, id)
  assertStatic(group)
  await insertAudit(services.db, {
    unitId: group.unitId,
    actor: actorOf(principal),
    action: 'read',
    objectKind: 'group',
    objectId: group.id,
    details: { what: 'members' },
  })
  return pageOf(
    query,
    { of: ({ subjectId }: { subjectId: string }) => subjectId, read: idOrNull },
    (page) => listRows(services.db, id, page),
    ({ uid, addedAt }) => ({ uid, addedAt: addedAt.toISOString() }),
  )
}

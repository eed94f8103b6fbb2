import { ServiceError } from '../../contract/errors.ts'
import type { EditGroup, Group } from '../../contract/groups/group.ts'
import type { Trx } from '../../db/connect.ts'
import { insertGroupChange, lockDefinition } from '../../db/queries/audience/definitions.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { isWithin, lockGroup, lockGroupTrees, updateGroup } from '../../db/queries/catalogue/group.ts'
import { countOutside } from '../../db/queries/catalogue/group-members.ts'
import { changedFields } from '../../domain/lib/changed-fields.ts'
import { isApprover } from '../../domain/rights/permission.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { assertMayWriteGroups } from '../unit-access.ts'
import { checkKind, keeperOf, parentOf, queryOf } from './check.ts'
import { getGroup, ownGroup } from './groups.ts'

/**
 * Changes a group. A new parent must contain all its members. A new query counts as a change of every audience that
 * names the group.
 * @throws ServiceError not_found, forbidden, group_subset, audience_dimension_not_allowed, validation_error if the
 *   change does not fit the group's kind
 */
export async function editGroup(
  services: Services,
  principal: Principal,
  id: string,
  patch: EditGroup,
): Promise<Group> {
  const actor = actorOf(principal)
  await services.db.transaction().execute(async (trx) => {
    const { unitId, kind } = await ownGroup(trx, principal, id)
    assertMayWriteGroups(principal, unitId)
    const parentId = await parentOf(trx, unitId, patch.parentId)
    if (patch.query !== undefined) await lockDefinition(trx, id)
    if (parentId !== null && kind === 'static') await assertNotBelow(trx, unitId, id, parentId)
    const group = (await lockGroup(trx, id, [unitId], 'change'))!
    const query = (await queryOf(trx, principal, unitId, patch.query)) ?? group.query
    const after = {
      ...group,
      name: patch.name ?? group.name,
      legalBasis: patch.legalBasis ?? group.legalBasis,
      parentId: patch.parentId === undefined ? group.parentId : parentId,
      query,
      keptByKeyId: await keeperOf(trx, principal, unitId, {
        keptByKeyId: patch.keptByKeyId,
        before: group.keptByKeyId,
      }),
    }
    checkKind({ ...after, query: query ?? undefined })
    if (parentId !== null) await assertHasAll(trx, unitId, id, parentId)
    const fields = changedFields(group, after)
    if (fields.length === 0) return
    await updateGroup(trx, after)
    if (fields.includes('query')) {
      const approver = isApprover(principal, unitId)
      await insertGroupChange(trx, { groupId: id, what: 'query', actor, approver })
    }
    const audit = { unitId, actor, action: 'edit', details: { fields } }
    await insertAudit(trx, { ...audit, objectKind: 'group', objectId: id })
  })
  return getGroup(services, principal, id)
}

/** Runs before any group is locked: locks go from child to parent, so the tree must not change in between. */
async function assertNotBelow(trx: Trx, unitId: string, id: string, parentId: string): Promise<void> {
  await lockGroupTrees(trx, unitId)
  if (!(await isWithin(trx, parentId, id))) return
  throw new ServiceError('group_subset', 'A group cannot be its own ancestor. Choose another parent.')
}

async function assertHasAll(trx: Trx, unitId: string, id: string, parentId: string): Promise<void> {
  await lockGroup(trx, parentId, [unitId], 'share')
  const count = await countOutside(trx, id, parentId)
  if (count === 0) return
  throw new ServiceError(
    'group_subset',
    `${count} of this group's members are not in that parent. Add them there first, or remove them here.`,
    { count },
  )
}

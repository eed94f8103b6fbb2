import type { CreateGroup, Group, GroupListQuery } from '../../contract/groups/group.ts'
import type { Db } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import {
  findGroup,
  insertGroup,
  listGroups as listRows,
  type Group as Row,
} from '../../db/queries/catalogue/group.ts'
import { countMembers } from '../../db/queries/catalogue/group-members.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { assertRoomFor } from '../bounds.ts'
import type { Services } from '../context.ts'
import { withCountLimit } from '../count-limit.ts'
import { byId, type Page, pageOf } from '../page.ts'
import { assertMayWriteGroups, findInUnits, unitOf } from '../unit-access.ts'
import { checkKind, keeperOf, parentOf, queryOf } from './check.ts'

/**
 * @throws ServiceError unit_required, forbidden, not_found for the parent or key, audience_dimension_not_allowed,
 *   validation_error if kind, legal basis, parent and query do not fit together
 */
export async function createGroup(
  services: Services,
  principal: Principal,
  body: CreateGroup,
): Promise<Group> {
  const unitId = unitOf(principal, body.unitId)
  assertMayWriteGroups(principal, unitId)
  const { name, kind, legalBasis = null } = body
  checkKind({ kind, legalBasis, parentId: body.parentId, query: body.query })
  const parentId = await parentOf(services.db, unitId, body.parentId)
  const query = await queryOf(services.db, principal, unitId, body.query)
  const keptByKeyId = await keeperOf(services.db, principal, unitId, {
    keptByKeyId: body.keptByKeyId,
    before: null,
  })
  const actor = actorOf(principal)
  const id = await services.db.transaction().execute(async (trx) => {
    await assertRoomFor(trx, 'groups', unitId)
    const groupId = await insertGroup(trx, { unitId, name, kind, legalBasis, parentId, query, keptByKeyId })
    const audit = { unitId, actor, action: 'create', details: { kind, legalBasis, parentId, keptByKeyId } }
    await insertAudit(trx, { ...audit, objectKind: 'group', objectId: groupId })
    return groupId
  })
  return getGroup(services, principal, id)
}

/** @throws ServiceError not_found, unavailable if the unit has too many counts running */
export async function getGroup(services: Services, principal: Principal, id: string): Promise<Group> {
  const group = groupOf(await ownGroup(services.db, principal, id))
  if (group.kind === 'dynamic') return group
  const memberCount = await withCountLimit(group.unitId, () => countMembers(services.db, id))
  return { ...group, memberCount }
}

/** @throws ServiceError unit_required, forbidden, validation_error for an invalid cursor */
export async function listGroups(
  services: Services,
  principal: Principal,
  query: GroupListQuery,
): Promise<Page<Group>> {
  const filter = { unitId: unitOf(principal, query.unitId), q: query.q }
  return pageOf(query, byId, (page) => listRows(services.db, filter, page), groupOf)
}

/**
 * A group of the caller's units.
 * @throws ServiceError not_found
 */
export function ownGroup(db: Db, principal: Principal, id: string): Promise<Row> {
  return findInUnits(db, principal, id, 'group', findGroup)
}

function groupOf({ query, createdAt, ...group }: Row): Group {
  return { ...group, ...(query && { query }), createdAt: createdAt.toISOString() }
}

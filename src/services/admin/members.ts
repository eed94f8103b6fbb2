import type { ChangeRoles, UnitMember } from '../../contract/admin/unit.ts'
import type { Role } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { broken } from '../../contract/rules.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { deleteOrganiser } from '../../db/queries/answer/organiser.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import {
  countOtherMembers,
  deleteMember,
  findPerson,
  insertMember,
} from '../../db/queries/identity/person.ts'
import { listMembers as listRows } from '../../db/queries/identity/unit.ts'
import type { Page } from '../page.ts'
import { unknownReference } from '../validation-error.ts'
import { assertUnit } from './units.ts'

/** @throws ServiceError not_found */
export async function listMembers(db: Db, unitId: string): Promise<Page<UnitMember>> {
  await assertUnit(db, unitId)
  return { items: await listRows(db, unitId), nextCursor: null }
}

/**
 * Adds and removes roles of a person in a unit. Returns the person's roles afterwards.
 * @throws ServiceError not_found for the unit or the person, validation_error if the unit has as many people as it may
 */
export async function changeRoles(
  db: Db,
  actor: string,
  unitId: string,
  { personId, add = [], remove = [] }: ChangeRoles,
): Promise<UnitMember> {
  await assertUnit(db, unitId)
  return db.transaction().execute(async (trx) => {
    const person = await findPerson(trx, personId)
    if (!person) throw unknownReference('personId', 'person', `No person ${personId}. Check the id.`)
    if (add.length > 0) await assertRoom(trx, unitId, personId)
    const added = add.length > 0 ? await insertMember(trx, unitId, personId, add) : []
    const removed = remove.length > 0 ? await deleteMember(trx, unitId, personId, remove) : []
    if (added.length > 0) await write(trx, { unitId, actor, action: 'add', roles: added, personId })
    if (removed.length > 0) await write(trx, { unitId, actor, action: 'remove', roles: removed, personId })
    const { id, name, email } = person
    const roles = (await listRows(trx, unitId)).find((member) => member.id === personId)?.roles ?? []
    // Who has left reads no answers any more, even if they come back.
    if (roles.length === 0) await deleteOrganiser(trx, unitId, personId)
    return { id, name, email, roles }
  })
}

/** Requires room for a person among those who have a role in a unit. */
async function assertRoom(trx: Trx, unitId: string, personId: string): Promise<void> {
  const others = await countOtherMembers(trx, unitId, personId)
  if (others < limits.membersPerUnit) return
  throw new ServiceError(
    'validation_error',
    `A unit may have at most ${limits.membersPerUnit} people with a role. Remove the roles of one who no longer needs them.`,
    {
      issues: [{ path: 'add', ...broken('limit_reached', { limit: limits.membersPerUnit, of: 'members' }) }],
    },
  )
}

type Change = { unitId: string; actor: string; action: 'add' | 'remove'; roles: Role[]; personId: string }

function write(trx: Trx, { roles, personId, ...audit }: Change): Promise<void> {
  return insertAudit(trx, { ...audit, objectKind: 'member', objectId: personId, details: { roles } })
}

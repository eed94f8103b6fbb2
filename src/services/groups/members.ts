import { ServiceError } from '../../contract/errors.ts'
import { broken } from '../../contract/rules.ts'
import type { Trx } from '../../db/connect.ts'
import { type Group, lockGroup } from '../../db/queries/catalogue/group.ts'
import { deleteMembers, insertMembers, type MemberRefs } from '../../db/queries/catalogue/group-members.ts'
import { orNotFound } from '../unit-access.ts'
import { requestError } from '../validation-error.ts'

/*
 * A child's members are members of its parent, even with concurrent writers (docs/design/audiences.md). Adding
 * locks the group and its parent in share mode; removing, or changing the parent, locks the group exclusively, which
 * blocks additions to it and its children.
 */

/** A static group, and the units whose groups the caller may change. */
type GroupKey = { groupId: string; unitIds: string[] }

/**
 * Adds people to a static group, all or none. Returns how many were added, and how many of them exist. The caller owns
 * the transaction and writes the audit row.
 * @throws ServiceError not_found, validation_error for a dynamic group, group_subset with details {count}
 */
export async function addMembers(
  trx: Trx,
  key: GroupKey,
  people: MemberRefs,
): Promise<{ added: number; known: number }> {
  const group = await lockStatic(trx, key, 'share')
  if (group.parentId !== null) await lockGroup(trx, group.parentId, key.unitIds, 'share')
  const { known: existing, refused, changed } = await insertMembers(trx, group, people)
  if (refused > 0)
    throw new ServiceError(
      'group_subset',
      `${refused} of these people are not in the group's parent. Add them there first. No one was added.`,
      { count: refused },
    )
  return { added: changed, known: existing }
}

/**
 * Removes people from a static group, all or none.
 * @throws ServiceError not_found, validation_error for a dynamic group, group_subset with details {count}
 */
export async function removeMembers(
  trx: Trx,
  key: GroupKey,
  people: MemberRefs,
): Promise<{ removed: number; known: number }> {
  const group = await lockStatic(trx, key, 'change')
  const { known: existing, refused, changed } = await deleteMembers(trx, group.id, people)
  if (refused > 0)
    throw new ServiceError(
      'group_subset',
      `${refused} of these people are in a child of this group. Remove them there first. No one was removed.`,
      { count: refused },
    )
  return { removed: changed, known: existing }
}

async function lockStatic(trx: Trx, { groupId, unitIds }: GroupKey, how: 'share' | 'change'): Promise<Group> {
  const group = orNotFound(await lockGroup(trx, groupId, unitIds, how), 'group')
  assertStatic(group)
  return group
}

/** @throws ServiceError validation_error */
export function assertStatic({ kind }: Pick<Group, 'kind'>): void {
  if (kind === 'static') return
  throw requestError(
    'This group is dynamic: its query defines its members. Change the query, or count them with a dry-run.',
    { path: '', ...broken('not_a_static_group') },
  )
}

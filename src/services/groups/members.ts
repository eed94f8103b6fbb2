import { ServiceError } from '../../contract/errors.ts'
import type { Trx } from '../../db/connect.ts'
import { type Group, lockGroup } from '../../db/queries/catalogue/group.ts'
import { deleteMembers, insertMembers, type MemberRefs } from '../../db/queries/catalogue/group-members.ts'
import { orNotFound } from '../unit-access.ts'

/*
 * A child's members are members of its parent, also under racing writers (docs/decisions/0021-catalogue.md). Adding
 * locks the group and its parent in share mode; removing, or changing the parent, locks the group exclusively, so that
 * nothing is added to it or to its children meanwhile.
 */

/** A static group, and the units whose groups the caller may touch. */
export type GroupKey = { groupId: string; unitIds: string[] }

/**
 * Adds people to a static group, all of them or none. Answers how many were added, and how many uids name nobody. For
 * whoever changes something else in the same transaction; the audit row is theirs too.
 * @throws ServiceError not_found, validation_error for a dynamic group, group_subset with details {count}
 */
export async function addMembers(
  trx: Trx,
  key: GroupKey,
  people: MemberRefs,
): Promise<{ added: number; unknown: number }> {
  const group = await lockStatic(trx, key, 'share')
  if (group.parentId !== null) await lockGroup(trx, group.parentId, key.unitIds, 'share')
  const { known, refused, changed } = await insertMembers(trx, group, people)
  if (refused > 0)
    throw new ServiceError(
      'group_subset',
      `${refused} of these people are not in the group's parent. Add them there first; nobody was added.`,
      { count: refused },
    )
  return { added: changed, unknown: sizeOf(people) - known }
}

/**
 * Takes people out of a static group, all of them or none.
 * @throws ServiceError not_found, validation_error for a dynamic group, group_subset with details {count}
 */
export async function removeMembers(
  trx: Trx,
  key: GroupKey,
  people: MemberRefs,
): Promise<{ removed: number; unknown: number }> {
  const group = await lockStatic(trx, key, 'change')
  const { known, refused, changed } = await deleteMembers(trx, group.id, people)
  if (refused > 0)
    throw new ServiceError(
      'group_subset',
      `${refused} of these people are in a group below this one. Remove them there first; nobody was removed.`,
      { count: refused },
    )
  return { removed: changed, unknown: sizeOf(people) - known }
}

async function lockStatic(trx: Trx, { groupId, unitIds }: GroupKey, how: 'share' | 'change'): Promise<Group> {
  const group = orNotFound(await lockGroup(trx, groupId, unitIds, how), 'group')
  assertStatic(group)
  return group
}

/** @throws ServiceError validation_error */
export function assertStatic({ kind }: Pick<Group, 'kind'>): void {
  if (kind === 'static') return
  throw new ServiceError(
    'validation_error',
    'This group is dynamic: whoever its query names is in it, and a dry-run counts them. Change its query instead.',
  )
}

function sizeOf(people: MemberRefs): number {
  return 'uids' in people ? people.uids.length : people.subjectIds.length
}

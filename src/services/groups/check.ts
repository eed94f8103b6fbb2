import type { GroupKind, LegalBasis } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { GroupQuery } from '../../contract/messages/audience.ts'
import { broken } from '../../contract/rules.ts'
import type { Db } from '../../db/connect.ts'
import { matchesAudience } from '../../db/queries/audience/subjects.ts'
import { findStatic } from '../../db/queries/catalogue/group.ts'
import { findActiveKey } from '../../db/queries/identity/key.ts'
import type { QueryAudience } from '../../domain/audience/audience.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import { assertMayName } from '../messages/rights.ts'
import { unknownReference, validationError } from '../validation-error.ts'

type Parts = {
  kind: GroupKind
  legalBasis: LegalBasis | null
  parentId?: string | null | undefined
  query?: GroupQuery | undefined
}

/**
 * Checks that a group has the fields of its kind. A parent must be static: only a list can contain a child's members.
 * @throws ServiceError validation_error
 */
export function checkKind({ kind, legalBasis, parentId, query }: Parts): void {
  const issues =
    kind === 'static'
      ? [
          ...(legalBasis === null
            ? [
                {
                  path: 'legalBasis',
                  ...broken('missing', { reason: 'legal_basis' }),
                },
              ]
            : []),
          ...(query ? [{ path: 'query', ...broken('unexpected', { reason: 'static_group' }) }] : []),
        ]
      : [
          ...(query ? [] : [{ path: 'query', ...broken('missing', { reason: 'query' }) }]),
          ...(parentId != null
            ? [{ path: 'parentId', ...broken('unexpected', { reason: 'dynamic_group' }) }]
            : []),
        ]
  if (issues.length > 0) throw validationError(issues)
}

/**
 * The id of the parent in a body; null for none.
 * @throws ServiceError not_found if it is not a static group of the unit
 */
export async function parentOf(
  db: Db,
  unitId: string,
  parentId: string | null | undefined,
): Promise<string | null> {
  if (parentId == null) return null
  const id = idOrNull(parentId)
  const parents = id === null ? [] : await findStatic(db, unitId, [id])
  if (parents.length === 0)
    throw unknownReference(
      'parentId',
      'static_group',
      `The unit has no static group ${parentId}. See GET /v1/groups.`,
    )
  return id
}

/**
 * The key that keeps a group after a change. A session may name any active key of the unit. A key may only name or
 * release itself: it must not take a group from another system.
 * @throws ServiceError forbidden; not_found if the unit has no such active key
 */
export async function keeperOf(
  db: Db,
  principal: Principal,
  unitId: string,
  { keptByKeyId, before }: { keptByKeyId: string | null | undefined; before: string | null },
): Promise<string | null> {
  if (keptByKeyId === undefined || keptByKeyId === before) return before
  if (
    principal.kind === 'producer' &&
    [keptByKeyId, before].some((id) => id !== null && id !== principal.keyId)
  )
    throw new ServiceError(
      'forbidden',
      'A key may only set or remove itself as keptByKeyId. Ask an editor of the unit to name another key.',
    )
  if (keptByKeyId !== null && (await findActiveKey(db, keptByKeyId, unitId)) === undefined)
    throw unknownReference('keptByKeyId', 'key', `The unit has no active key ${keptByKeyId}.`)
  return keptByKeyId
}

/**
 * Checks a query against the caller's rights, and returns it as stored. It may name only static groups of the unit,
 * which rules out cycles.
 * @throws ServiceError audience_dimension_not_allowed, validation_error
 */
export async function queryOf(
  db: Db,
  principal: Principal,
  unitId: string,
  query: GroupQuery | undefined,
): Promise<QueryAudience | null> {
  if (!query) return null
  const audience: QueryAudience = { ...query, kind: 'query' }
  assertMayName(principal, audience)
  matchesAudience(audience, { unitId })
  const named = [...(query.groups ?? []), ...(query.exclude?.groups ?? [])]
  const existing = await findStatic(
    db,
    unitId,
    named.filter((id) => idOrNull(id) !== null),
  )
  const issues = named
    .filter((id) => !existing.includes(idOrNull(id) ?? id))
    .map((id) => ({ path: 'query', ...broken('not_a_static_group', { id }) }))
  if (issues.length > 0) throw validationError(issues)
  return audience
}

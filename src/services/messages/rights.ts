import { ServiceError } from '../../contract/errors.ts'
import type { Audience } from '../../domain/audience.ts'
import { dimensionsOf } from '../../domain/audience-rights.ts'
import { mayAsk, type Verb } from '../../domain/permission.ts'
import type { Principal } from '../../domain/principal.ts'

/** @throws ServiceError forbidden */
export function assertMayAsk(principal: Principal, verb: Verb, unitId: string): void {
  if (mayAsk(principal, verb, unitId)) return
  const who = verb === 'approve' || verb === 'reject' ? 'an approver' : 'an editor'
  throw new ServiceError('forbidden', `Only ${who} of the unit may ${verb} this. Ask one of them.`)
}

/** @throws ServiceError category_not_allowed */
export function assertMayUse(principal: Principal, categoryId: string): void {
  if (principal.kind === 'person' || principal.categories === null) return
  if (principal.categories.includes(categoryId)) return
  throw new ServiceError(
    'category_not_allowed',
    `This key may not use the category ${categoryId}. It may use ${principal.categories.join(', ') || 'none'}.`,
  )
}

/**
 * Checks a category and an audience against the credential's restrictions.
 * @throws ServiceError category_not_allowed, individual_targeting_disabled, audience_dimension_not_allowed
 */
export function assertMayReach(principal: Principal, categoryId: string, audience: Audience): void {
  assertMayUse(principal, categoryId)
  assertMayName(principal, audience)
}

/**
 * Checks an audience against the credential's restrictions.
 * @throws ServiceError individual_targeting_disabled, audience_dimension_not_allowed
 */
export function assertMayName(principal: Principal, audience: Audience): void {
  const restricted = principal.kind === 'producer'
  if (audience.kind === 'individual' && !(restricted && principal.individualTargeting))
    throw new ServiceError(
      'individual_targeting_disabled',
      'Only producer keys with individual targeting may use individual audiences. Use a query, or such a key.',
    )
  const allowed = restricted ? principal.dimensions : null
  const refused = allowed ? dimensionsOf(audience).filter((dimension) => !allowed.includes(dimension)) : []
  if (refused.length > 0)
    throw new ServiceError(
      'audience_dimension_not_allowed',
      `This key may not use ${refused.join(', ')} in an audience. Remove it, or use another key.`,
      { dimensions: refused },
    )
}

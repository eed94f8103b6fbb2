import { limits } from '../../contract/limits.ts'
import type { Principal } from '../rights/principal.ts'
import type { Refusal } from '../rights/refusal.ts'
import { type Audience, dimensionsIn } from './audience.ts'

/** Why the credential may not use a category; null if it may. */
export function categoryRefusal(principal: Principal, categoryId: string): Refusal | null {
  if (principal.kind === 'person' || principal.categories === null) return null
  if (principal.categories.includes(categoryId)) return null
  return {
    code: 'category_not_allowed',
    message: `This key may not use the category ${categoryId}. It may use ${principal.categories.join(', ') || 'none'}.`,
  }
}

/** Why the credential may not name an audience; null if it may. */
export function audienceRefusal(principal: Principal, audience: Audience): Refusal | null {
  if (audience.kind === 'individual')
    return principal.kind === 'producer' && principal.individualTargeting ? null : individualsRefused
  return dimensionRefusal(principal, ...dimensionsOf(audience))
}

/** Why the credential may not use these dimensions; null if it may. */
export function dimensionRefusal(principal: Principal, ...dimensions: string[]): Refusal | null {
  const allowed = principal.kind === 'producer' ? principal.dimensions : null
  const refused = allowed ? dimensions.filter((dimension) => !allowed.includes(dimension)) : []
  if (refused.length === 0) return null
  return {
    code: 'audience_dimension_not_allowed',
    message: `This key may not use ${refused.join(', ')} in an audience. Remove it, or use another key.`,
    details: { dimensions: refused },
  }
}

const individualsRefused: Refusal = {
  code: 'individual_targeting_disabled',
  message:
    'Only producer keys with individual targeting may use individual audiences. Use a query, or such a key.',
}

/**
 * Why the credential may not submit an audience that counts as targeting individuals
 * (domain/audience/small-audience.ts); null if it may. People may: another person must approve it.
 */
export function targetingRefusal(principal: Principal): Refusal | null {
  if (principal.kind === 'person' || principal.individualTargeting) return null
  return {
    code: 'individual_targeting_disabled',
    message:
      `This audience uses the unit's own lists and names fewer than ${limits.smallestAudience} people, which is ` +
      'individual targeting. Widen it, let a member of the unit submit it, or use a key with individual targeting.',
  }
}

/** Why the caller is told no count of people whom their answers select; of nobody as of four (docs/design/audiences.md). */
export const fewByHistory: Refusal = {
  code: 'individual_targeting_disabled',
  message:
    `What people answered, registered for or received selects fewer than ${limits.smallestAudience} people here, and a ` +
    'count would tell who they are. Widen the audience, ask an approver of the unit, or use a key with individual targeting.',
}

/**
 * Why the credential may not change what is sent to individual people at once, such as those who wait for a place; null
 * if it may. Members of the unit may.
 */
export function individualReachRefusal(principal: Principal): Refusal | null {
  if (principal.kind === 'person' || principal.individualTargeting) return null
  return {
    code: 'individual_targeting_disabled',
    message:
      'This change sends messages to individual people. Use a key with individual targeting, or let a member of the unit ' +
      'make it.',
  }
}

/** The dimensions that an audience uses, including those inside `exclude`; `all` counts as a dimension. */
export function dimensionsOf(audience: Audience): string[] {
  const named = dimensionsIn(audience).flatMap((dimensions) =>
    Object.entries(dimensions).flatMap(([name, values]) => (values === undefined ? [] : [name])),
  )
  return [...new Set([...(audience.kind === 'all' ? ['all'] : []), ...named])]
}

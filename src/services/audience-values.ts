import type { AudienceValues, AudienceValuesQuery } from '../contract/audience-values.ts'
import { listValues } from '../db/queries/audience/values.ts'
import { dimensionRefusal } from '../domain/audience/audience-rights.ts'
import type { Principal } from '../domain/rights/principal.ts'
import type { Services } from './context.ts'
import { withCountLimit } from './count-limit.ts'
import { refuse } from './refuse.ts'
import { unitOf } from './unit-access.ts'

/**
 * The values of a dimension that a caller may use in an audience, and that enough people have.
 * @throws ServiceError audience_dimension_not_allowed; unavailable, if the unit has too many counts running
 */
export async function listAudienceValues(
  { db }: Services,
  principal: Principal,
  { unitId: named, dimension, q = '' }: AudienceValuesQuery,
): Promise<AudienceValues> {
  const unitId = unitOf(principal, named)
  refuse(dimensionRefusal(principal, dimension === 'patterns' ? 'history' : dimension))
  return { items: await withCountLimit(unitId, () => listValues(db, unitId, { dimension, q })) }
}

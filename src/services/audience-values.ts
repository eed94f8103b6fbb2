import type { AudienceValues, AudienceValuesQuery } from '../contract/audience-values.ts'
import type { Db } from '../db/connect.ts'
import { listValues } from '../db/queries/audience/values.ts'
import { dimensionRefusal } from '../domain/audience/audience-rights.ts'
import type { Principal } from '../domain/rights/principal.ts'
import type { Services } from './context.ts'
import { withCountLimit } from './count-limit.ts'
import { createKept, type Kept } from './kept.ts'
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

/** How long the values of people are kept (ms): each reading of them reads everybody. */
const keptMs = 60_000

const keptValues = new WeakMap<Db, Kept<AudienceValues>>()

/**
 * The same for a form, which asks for them again and again: those of people, who are the same for every unit, may be a minute
 * old.
 * @throws ServiceError as `listAudienceValues` does
 */
export async function listChoices(
  services: Services,
  principal: Principal,
  query: AudienceValuesQuery,
): Promise<AudienceValues> {
  const { dimension, q } = query
  if (q || dimension === 'groups' || dimension === 'patterns')
    return listAudienceValues(services, principal, query)
  refuse(dimensionRefusal(principal, dimension))
  const kept = keptValues.get(services.db) ?? createKept<AudienceValues>(keptMs)
  keptValues.set(services.db, kept)
  return kept(dimension, () => listAudienceValues(services, principal, query))
}

import type { UnitKind } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { type Audience, dimensionsIn, type Snapshot } from './audience.ts'
import { someDimension } from './dimensions.ts'

/**
 * How close an audience of the unit's own lists comes to naming individuals. `targeting`: it names fewer than
 * `limits.smallestAudience` people, and counts as individual targeting. `few`: it names more, but reaches fewer.
 */
export type Smallness = 'targeting' | 'few'

/** The counts of people that decide: of a snapshot, or of as many as decide it. */
type CountedPeople = Pick<Snapshot['recipients'], 'total' | 'frequency'> & {
  excluded: Partial<Snapshot['recipients']['excluded']>
}

/**
 * The smallness of an audience, by the people counted in it; null for one that is large, empty, or made from attributes
 * that others write (docs/design/audiences.md).
 */
export function smallnessOf(
  audience: Audience,
  unitKind: UnitKind,
  recipients: CountedPeople,
): Smallness | null {
  if (!usesOwnLists(audience, unitKind)) return null
  if (isFew(namedPeople(recipients))) return 'targeting'
  return isFew(recipients.total) ? 'few' : null
}

/** Whether an audience is smaller than the one that was approved in a way that its approver did not see. */
export function hasBecomeSmall(approved: Smallness | null, now: Smallness | null): boolean {
  return now !== null && now !== approved && approved !== 'targeting'
}

/** The number of people whom an audience names, whether they can be reached or not. */
export function namedPeople({ total, excluded, frequency = 0 }: CountedPeople): number {
  return Object.values(excluded).reduce((sum, people) => sum + people, total + frequency)
}

/**
 * Whether what people answered, registered for or received decides who matches: a count of few of them is a view of that.
 * `queries`: those of the dynamic groups that it names.
 */
export function readsHistory(audience: Audience, queries: Iterable<Audience>): boolean {
  const readsOne = (one: Audience) => dimensionsIn(one).some(({ history = [] }) => history.length > 0)
  return readsOne(audience) || [...queries].some(readsOne)
}

function isFew(people: number): boolean {
  return people > 0 && people < limits.smallestAudience
}

/** Whether the unit itself decides who matches a dimension of the audience. */
export function usesOwnLists(audience: Audience, unitKind: UnitKind): boolean {
  return dimensionsIn(audience).some((dimensions) =>
    someDimension(dimensions, ({ ofOwnMaking }, values) => ofOwnMaking(values, unitKind)),
  )
}

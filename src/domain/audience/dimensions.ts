import { type AudienceDimension, type HistoryKind, keysOf, type UnitKind } from '../../contract/enums.ts'
import type { AudienceDimensions, DimensionValues, HistoryEntry } from './audience.ts'
import { isOpenTag } from './open-tag.ts'

/** Who decides who matches a dimension (docs/design/audiences.md). */
type DimensionRule<Value> = {
  /** Whether a unit of this kind decides who matches one of these values: it could make a list of one person. */
  ofOwnMaking: (values: Value[], unitKind: UnitKind) => boolean
  /** Whether people enter and leave by a change of their own: what they do moves their stage and tags. */
  movedByPerson: boolean
}

type DimensionRules = { [name in AudienceDimension]: DimensionRule<DimensionValues[name]> }

/** Attributes of subjects are written by administrative units, through the Identity API. */
const attribute = {
  ofOwnMaking: (_: unknown[], unitKind: UnitKind) => unitKind === 'administrative',
  movedByPerson: false,
}

export const dimensionRules: DimensionRules = {
  roles: attribute,
  stages: { ...attribute, movedByPerson: true },
  orgUnits: attribute,
  classIds: attribute,
  tags: {
    ofOwnMaking: (tags, unitKind) => tags.some(isOpenTag) || attribute.ofOwnMaking(tags, unitKind),
    movedByPerson: true,
  },
  groups: { ofOwnMaking: () => true, movedByPerson: false },
  history: { ofOwnMaking: (entries) => entries.some(isOfOwnMaking), movedByPerson: false },
}

/** Every unit chooses who receives its messages; who answers or registers is the recipient's own act. */
const historyOfOwnMaking: Record<HistoryKind, boolean> = {
  received: true,
  answered: false,
  registered: false,
}

function isOfOwnMaking({ kind }: HistoryEntry): boolean {
  return historyOfOwnMaking[kind]
}

/** Whether one of the dimensions that are given passes a test of its rule and values. */
export function someDimension(
  dimensions: AudienceDimensions,
  test: <Value>(rule: DimensionRule<Value>, values: Value[]) => boolean,
): boolean {
  const passes = <Name extends AudienceDimension>(name: Name) => {
    const values: DimensionValues[Name][] | undefined = dimensions[name]
    return values !== undefined && test(dimensionRules[name], values)
  }
  return keysOf(dimensionRules).some(passes)
}

import { canonicalJson } from './canonical-json.ts'

/**
 * The fields of `after` whose values differ from those before, by value: what an audit row names, and none of them if
 * nothing changed (docs/design/approvals.md).
 */
export function changedFields<Row extends object>(before: Row, after: Partial<Row>): (keyof Row & string)[] {
  const names = Object.keys(after) as (keyof Row & string)[]
  return names.filter((name) => after[name] !== undefined && !isSame(before[name], after[name]))
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null)
}

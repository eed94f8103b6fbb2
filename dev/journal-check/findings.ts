import { keysOf } from '../../src/contract/enums.ts'
import { type Finding, finding } from '../../src/db/queries/doctor/doctor.ts'

/** One finding for each rule; `rules` describes them. */
export function findingsOf<Name extends string>(
  rules: Record<Name, string>,
  broken: Record<Name, string[]>,
): Finding[] {
  return keysOf(rules).map((name) => finding(name, rules[name], broken[name]))
}

import type { Finding } from '../db/queries/doctor.ts'

const violationsShown = 20

/** What was found broken, rule by rule; `rules` says what each means. */
export function findingsOf<Name extends string>(
  rules: Record<Name, string>,
  broken: Record<Name, string[]>,
): Finding[] {
  return (Object.keys(rules) as Name[]).map((name) => {
    const violations = broken[name]
    return {
      name,
      means: rules[name],
      ok: violations.length === 0,
      count: violations.length,
      violations: violations.slice(0, violationsShown),
    }
  })
}

import type { LookupError } from '../../contract/enums.ts'
import type { EdgeCase } from '../../contract/scenarios/graph.ts'
import type { PatternValues } from '../pattern/pattern-values.ts'

/** Why a node has no answer of a Lookup: also because none was made without the person's consent. */
export type LookupFault = LookupError | 'noConsent'

/** What a run knows: its variables, the answers by node, and why the last Lookup failed. */
export type RunValues = {
  variables: Record<string, unknown>
  answers: Record<string, string>
  lookupError: LookupFault | null
}

/** What texts and conditions read beside the variables of the run. Filled again at each step, and never stored. */
export type RunContext = {
  person: { displayName: string | null; locale: string; stage: string }
  subject: string
  pattern: PatternValues | null
}

/** Everything that a text or condition can name. */
export function valuesIn(
  values: RunValues,
  { person, subject, pattern }: RunContext,
): Record<string, unknown> {
  return {
    ...values.variables,
    person,
    subject,
    ...(pattern && { pattern }),
    answers: values.answers,
    ...(values.lookupError && { lookup_error: values.lookupError }),
  }
}

/** The value at a path such as `order.total`; undefined if there is none. Reads own properties alone. */
export function valueAt(values: Record<string, unknown>, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined,
      values,
    )
}

/** Whether the case of an edge of a branch holds. A condition on what has no value does not. */
export function holds(when: EdgeCase, values: Record<string, unknown>): boolean {
  switch (when.kind) {
    case 'equals':
      return isSame(valueAt(values, when.variable), when.value)
    case 'oneOf': {
      const value = valueAt(values, when.variable)
      return when.values.some((wanted) => isSame(value, wanted))
    }
    case 'atLeast':
    case 'atMost': {
      const number = numberIn(valueAt(values, when.variable))
      if (number === null) return false
      return when.kind === 'atLeast' ? number >= when.value : number <= when.value
    }
    case 'exists':
      return (valueAt(values, when.variable) ?? null) !== null
    default:
      return false
  }
}

/** Two texts are compared as texts (`007` is not `7`); a number and a text as numbers. */
function isSame(value: unknown, wanted: string | number | boolean): boolean {
  if (typeof value === typeof wanted || typeof wanted === 'boolean') return value === wanted
  const number = numberIn(wanted)
  return number !== null && typeof value !== 'boolean' && numberIn(value) === number
}

/** The number that a value is, or that a text says, also in full-width digits. */
function numberIn(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return null
  const text = value.normalize('NFKC')
  return /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null
}

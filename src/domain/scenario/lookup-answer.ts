import { isOneOf, reservedNames } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { type Broken, broken } from '../../contract/rules.ts'
import {
  forbiddenKeyPath,
  hasInexactNumber,
  hasMoreValues,
  isStorableValue,
  storedBytes,
} from '../lib/json-values.ts'
import type { NodeError } from './walk.ts'

/**
 * Why a JSON value cannot be the answer of a Lookup, as the rule that it breaks (docs/api/lookups.md, The answer);
 * null: it can.
 */
export function lookupAnswerFault(value: unknown): Broken | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return broken('wrong_type', { expected: 'json_object' })
  if (hasMoreValues(value, limits.jsonValues))
    return broken('too_many', { limit: limits.jsonValues, unit: 'values' })
  if (!isStorableValue(value, limits.jsonDepth))
    return broken('too_deep', { limit: limits.jsonDepth, unit: 'levels', of: 'answer' })
  return forbiddenKeyPath(value) ? broken('forbidden_key') : null
}

/** A field of an answer that became null: it has a number that was rounded (`shape`), or does not fit (`size`). */
export type RefusedField = { field: string; reason: 'shape' | 'size' }

/** Refused fields as errors of the node of the Lookup: one for each reason. */
export function refusalsAt(node: string, refused: readonly RefusedField[]): NodeError[] {
  return [...Map.groupBy(refused, ({ reason }) => reason)].map(([reason, these]) => {
    return { node, reason, faults: [], fields: these.map(({ field }) => field) }
  })
}

type Fields = { fields: Record<string, unknown>; refused: RefusedField[] }

/**
 * The fields of an answer as variables of the run: those with reserved names together under `lookup`. A field with a number
 * that JSON has rounded is null.
 */
export function fieldsOfAnswer(answer: Record<string, unknown>): Fields {
  const fields: Record<string, unknown> = {}
  const reserved: Record<string, unknown> = {}
  const refused: RefusedField[] = []
  for (const [name, value] of Object.entries(answer)) {
    const isReserved = isOneOf(reservedNames, name)
    const isRefused = hasInexactNumber(value)
    if (isRefused) refused.push({ field: isReserved ? `lookup.${name}` : name, reason: 'shape' })
    const into = isReserved ? reserved : fields
    into[name] = isRefused ? null : value
  }
  return { fields: Object.keys(reserved).length > 0 ? { ...fields, lookup: reserved } : fields, refused }
}

/**
 * Of these fields, in their order, those that fit beside the variables of a run; the others are null. Null if not even
 * their names fit.
 */
export function fittingFields(
  variables: Record<string, unknown>,
  fields: Record<string, unknown>,
): Fields | null {
  const kept = Object.fromEntries(Object.keys(fields).map((name): [string, unknown] => [name, null]))
  let bytes = storedBytes({ ...variables, ...kept })
  if (bytes > limits.runVariablesBytes) return null
  const refused: RefusedField[] = []
  for (const [field, value] of Object.entries(fields)) {
    const more = storedBytes(value) - storedBytes(null)
    if (bytes + more > limits.runVariablesBytes) refused.push({ field, reason: 'size' })
    else {
      kept[field] = value
      bytes += more
    }
  }
  return { fields: kept, refused }
}

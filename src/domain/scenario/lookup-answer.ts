import { limits } from '../../contract/limits.ts'
import {
  forbiddenKeyPath,
  hasInexactNumber,
  hasMoreValues,
  inexactNumber,
  isStorableValue,
} from '../lib/json-values.ts'

/**
 * Why a JSON value cannot be the answer of a Lookup, as a message for the caller (docs/api/lookups.md, The answer);
 * null: it can.
 */
export function lookupAnswerFault(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a JSON object'
  if (hasMoreValues(value, limits.jsonValues))
    return `must have at most ${limits.jsonValues.toLocaleString('en')} values`
  if (!isStorableValue(value, limits.jsonDepth))
    return `must be nested at most ${limits.jsonDepth} levels deep, without NUL characters and lone surrogates`
  if (forbiddenKeyPath(value)) return 'must not have a key that reaches a prototype'
  return hasInexactNumber(value) ? inexactNumber : null
}

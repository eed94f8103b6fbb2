import { limits } from '../../contract/limits.ts'

/** A record that Postgres can store, or the reason why it cannot, without the record's values. */
export function storable(value: unknown): Record<string, unknown> | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a JSON object'
  if (isDeeper(value, limits.jsonDepth)) return `must be nested at most ${limits.jsonDepth} levels deep`
  // JSON.stringify writes NUL characters and lone surrogates as these escapes, and nothing else.
  if (/\\u0000|\\ud[89a-f]/.test(JSON.stringify(value)))
    return 'must not contain a NUL character or a lone surrogate'
  return value as Record<string, unknown>
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1))
}

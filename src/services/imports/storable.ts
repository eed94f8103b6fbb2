import { limits } from '../../contract/limits.ts'

/** A record that Postgres can keep, or why it is none; never what stands in it. */
export function storable(value: unknown): Record<string, unknown> | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is no JSON object'
  if (isDeeper(value, limits.jsonDepth)) return `is nested deeper than ${limits.jsonDepth} levels`
  // JSON writes a NUL character and half a surrogate pair as escapes, and only these.
  if (/\\u0000|\\ud[89a-f]/.test(JSON.stringify(value)))
    return 'holds a NUL character or half a surrogate pair'
  return value as Record<string, unknown>
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1))
}

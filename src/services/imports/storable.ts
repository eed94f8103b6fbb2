import { limits } from '../../contract/limits.ts'

/** A record that Postgres can keep; null for what is none, is nested without end, or holds characters it cannot store. */
export function storable(value: unknown): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  if (isDeeper(value, limits.jsonDepth)) return null
  // JSON writes a NUL character and half a surrogate pair as escapes, and only these.
  return /\\u0000|\\ud[89a-f]/.test(JSON.stringify(value)) ? null : (value as Record<string, unknown>)
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1))
}

import { isStorableText } from './storable-text.ts'

/** Whether a value holds more than `most` others, at any depth. Without recursion: nesting may not be limited yet. */
export function hasMoreValues(root: unknown, most: number): boolean {
  const rest = [root]
  let count = 0
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const inner = Object.values(value)
    count += inner.length
    if (count > most) return true
    for (const one of inner) if (typeof one === 'object' && one !== null) rest.push(one)
  }
  return false
}

/** Whether a value has at most `depth` levels, and only texts and keys that Postgres can store. */
export function isStorableValue(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  if (Array.isArray(value)) {
    for (const inner of value) if (!isStorableValue(inner, depth - 1)) return false
    return true
  }
  for (const key in value)
    if (!isStorableText(key) || !isStorableValue(value[key as keyof typeof value], depth - 1)) return false
  return true
}

/**
 * Whether a value holds a number that JSON.parse has changed, at any depth: a whole one beyond 2^53 − 1 is rounded, and one
 * beyond a double has become infinite (RFC 8259, section 6).
 */
export function hasInexactNumber(value: unknown): boolean {
  if (typeof value === 'number') return isInexact(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInexactNumber)
}

/** Whether JSON.parse may have changed this number. */
export function isInexact(value: number): boolean {
  return Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value)
}

/** What is wrong with a value that holds such a number, as `must not …`. */
export const inexactNumber = 'must not have a number beyond ±(2^53 − 1): give it as a text'

/** The bytes of a value as Postgres writes its JSON: with a space behind each colon and comma. */
export function storedBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) + spacesIn(value)
}

function spacesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  const colons = Array.isArray(value) ? 0 : inner.length
  return colons + Math.max(0, inner.length - 1) + inner.reduce((sum: number, one) => sum + spacesIn(one), 0)
}

/** Whether a key of JSON would reach a prototype: `__proto__`, or `constructor` with a `prototype`. */
export function isForbiddenKey(key: string, value: unknown): boolean {
  if (key === '__proto__') return true
  return (
    key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
  )
}

/** Whether a value has a key that would reach a prototype, at any depth. */
export function hasForbiddenKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => isForbiddenKey(key, inner) || hasForbiddenKey(inner))
}

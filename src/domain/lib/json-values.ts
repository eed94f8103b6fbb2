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
 * beyond a double has become infinite (RFC 8259, section 6). Without recursion: nesting may not be limited yet.
 */
export function hasInexactNumber(root: unknown): boolean {
  const rest = [root]
  while (rest.length > 0) {
    const value = rest.pop()
    if (typeof value === 'number' && isInexact(value)) return true
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) rest.push(inner)
  }
  return false
}

/** Whether JSON.parse may have changed this number. */
export function isInexact(value: number): boolean {
  return Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value)
}

/** What is wrong with such a number, or with a value that holds one, as `must not …`. */
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

/** The path of the first number that JSON.parse has changed; null: there is none. */
export function inexactPath(root: unknown): PropertyKey[] | null {
  if (!hasInexactNumber(root)) return null // paths are kept of what is rejected alone
  return findWithin(root, (value) => typeof value === 'number' && isInexact(value))
}

/** A value within another, and the way there. */
type Inner = { value: unknown; key: PropertyKey; parent: Inner | null }

/**
 * The path of the first value at any depth that `isSought`, in the order of the JSON; null: there is none. `key`: under
 * which it stands in its object. Without recursion.
 */
export function findWithin(
  root: unknown,
  isSought: (value: unknown, key: PropertyKey) => boolean,
): PropertyKey[] | null {
  const open: Inner[] = [{ value: root, key: '', parent: null }]
  for (let inner = open.pop(); inner; inner = open.pop()) {
    const { value } = inner
    if (isSought(value, inner.key)) return pathTo(inner)
    if (typeof value !== 'object' || value === null) continue
    const isList = Array.isArray(value)
    for (const [key, one] of Object.entries(value).reverse())
      open.push({ value: one, key: isList ? Number(key) : key, parent: inner })
  }
  return null
}

function pathTo(inner: Inner): PropertyKey[] {
  const path: PropertyKey[] = []
  for (let at = inner; at.parent; at = at.parent) path.unshift(at.key)
  return path
}

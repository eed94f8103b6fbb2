import { type Broken, broken } from '../../contract/rules.ts'
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

/** What is wrong with a value within another: the way there, and the rule that it breaks. */
export type Fault = { path: PropertyKey[]; broken: Broken }

/**
 * The first value that `isStorableValue` refuses, in the order of the JSON; null: there is none. Looks for the path only
 * of what it refuses: to keep one for each value costs many times the body.
 */
export function unstorableFault(root: unknown, depth: number): Fault | null {
  return isStorableValue(root, depth) ? null : findUnstorable(root, [], depth)
}

function findUnstorable(value: unknown, path: PropertyKey[], depth: number): Fault | null {
  if (typeof value === 'string')
    return isStorableText(value) ? null : { path, broken: broken('unstorable_text') }
  if (typeof value !== 'object' || value === null) return null
  if (path.length >= depth)
    return { path: path.slice(0, 3), broken: broken('too_deep', { limit: depth, unit: 'levels' }) }
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorableText(key)) return { path, broken: broken('unstorable_text', { of: 'key' }) }
    const fault = findUnstorable(inner, [...path, Array.isArray(value) ? Number(key) : key], depth)
    if (fault) return fault
  }
  return null
}

/**
 * Whether a value holds a number that JSON.parse has changed, at any depth: a whole one beyond 2^53 − 1 is rounded, and one
 * beyond a double has become infinite (RFC 8259, section 6).
 */
export function hasInexactNumber(root: unknown): boolean {
  return holds(root, isInexactNumber)
}

/** The path of the first such number; null: there is none. */
export function inexactPath(root: unknown): PropertyKey[] | null {
  return findWithin(root, isInexactNumber)
}

function isInexactNumber(value: unknown): boolean {
  return typeof value === 'number' && isInexact(value)
}

/** Whether JSON.parse may have changed this number. */
export function isInexact(value: number): boolean {
  return Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value)
}

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

/** The path of the first key that would reach a prototype; null: there is none. */
export function forbiddenKeyPath(root: unknown): PropertyKey[] | null {
  return findWithin(root, isForbidden)
}

function isForbidden(value: unknown, key: PropertyKey): boolean {
  return typeof key === 'string' && isForbiddenKey(key, value)
}

type IsSought = (value: unknown, key: PropertyKey) => boolean

/** Whether a value or one within it is sought, at any depth. Without recursion: nesting may not be limited yet. */
function holds(root: unknown, isSought: IsSought): boolean {
  if (isSought(root, '')) return true
  const rest = [root]
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const isList = Array.isArray(value)
    for (const [key, inner] of Object.entries(value)) {
      if (isSought(inner, isList ? 0 : key)) return true
      if (typeof inner === 'object' && inner !== null) rest.push(inner)
    }
  }
  return false
}

/** A value within another, and the way there. */
type Inner = { value: unknown; key: PropertyKey; parent: Inner | null }

/** The path of the first value that is sought, in the order of the JSON; null: there is none. `key`: its own. */
function findWithin(root: unknown, isSought: IsSought): PropertyKey[] | null {
  if (!holds(root, isSought)) return null // to keep a path for each value costs many times the value
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

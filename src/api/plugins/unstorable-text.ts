import { Readable } from 'node:stream'
import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { isStorableText } from '../../domain/storable-text.ts'
import { pathOf } from '../../services/validation-error.ts'

/**
 * Rejects what JSON allows and Postgres cannot store, anywhere in a value: NUL characters and lone surrogates, in texts
 * and in keys, and nesting that would overflow a stack. Run after the schema, which limits what there is to walk. Looks
 * for the path only of what it rejects: to keep one for each value costs many times the body.
 * @throws ServiceError validation_error
 */
export function rejectUnstorableText(root: unknown): void {
  if (root instanceof Readable || isStorable(root, limits.jsonDepth)) return
  const { path, message } = findFault(root, [])!
  throw new ServiceError('validation_error', 'The request contains text that cannot be stored. Remove it.', {
    issues: [{ path: pathOf(path), message }],
  })
}

/** Whether a value has at most `depth` levels, and only texts and keys that can be stored. */
function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  if (Array.isArray(value)) {
    for (const inner of value) if (!isStorable(inner, depth - 1)) return false
    return true
  }
  for (const key in value)
    if (!isStorableText(key) || !isStorable(value[key as keyof typeof value], depth - 1)) return false
  return true
}

type Fault = { path: PropertyKey[]; message: string }

/** The first fault in the order of the value; `path` leads to `value`. */
function findFault(value: unknown, path: PropertyKey[]): Fault | undefined {
  if (typeof value === 'string')
    return isStorableText(value)
      ? undefined
      : { path, message: 'contains a NUL character or a lone surrogate' }
  if (typeof value !== 'object' || value === null) return undefined
  if (path.length >= limits.jsonDepth)
    return { path: path.slice(0, 3), message: `is nested deeper than ${limits.jsonDepth}` }
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorableText(key)) return { path, message: 'has a key with a NUL character or a lone surrogate' }
    const fault = findFault(inner, [...path, Array.isArray(value) ? Number(key) : key])
    if (fault) return fault
  }
  return undefined
}

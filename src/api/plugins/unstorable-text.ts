import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { pathOf } from '../../services/validation-error.ts'

type Place = { value: unknown; path: PropertyKey[] }

/**
 * Rejects what JSON allows and Postgres cannot store, anywhere in a value: NUL characters and lone surrogates, in texts
 * and in keys, and nesting that would overflow a stack. Walks without recursion.
 * @throws ServiceError validation_error
 */
export function rejectUnstorableText(root: unknown): void {
  const open: Place[] = [{ value: root, path: [] }]
  for (let place = open.pop(); place; place = open.pop()) {
    const { value, path } = place
    if (typeof value === 'string' && isOdd(value))
      refuse(path, 'contains a NUL character or a lone surrogate')
    if (typeof value !== 'object' || value === null) continue
    if (path.length >= limits.jsonDepth)
      refuse(path.slice(0, 3), `is nested deeper than ${limits.jsonDepth} levels`)
    for (const [key, inner] of Object.entries(value)) {
      if (isOdd(key)) refuse(path, 'has a key with a NUL character or a lone surrogate')
      open.push({ value: inner, path: [...path, Array.isArray(value) ? Number(key) : key] })
    }
  }
}

function isOdd(text: string): boolean {
  return text.includes('\u0000') || !text.isWellFormed()
}

function refuse(path: PropertyKey[], message: string): never {
  throw new ServiceError(
    'validation_error',
    'The request contains a value that cannot be stored; see details. Remove it.',
    {
      issues: [{ path: pathOf(path), message }],
    },
  )
}

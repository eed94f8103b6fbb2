import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServiceError } from '../../contract/errors.ts'
import { jsonFault } from '../../domain/json-fault.ts'
import { clipPath, requestError } from '../../services/validation-error.ts'

/** What happens to keys that would reach a prototype: `error` rejects the body, `remove` drops them. */
export type OnPoison = 'error' | 'remove'

/**
 * Parses a JSON body.
 * @throws ServiceError validation_error, with the position of the fault, or the path of the forbidden key
 */
export function parseJson(
  app: FastifyInstance,
  request: FastifyRequest,
  text: string,
  onPoison: OnPoison,
): Promise<unknown> {
  const parse = app.getDefaultJsonParser(onPoison, onPoison)
  return new Promise((resolve, reject) => {
    parse(request, text, (error, value) => (error ? reject(unreadable(text)) : resolve(value)))
  })
}

/** Why a body was not parsed: it is not JSON, or it has a key that would reach a prototype. */
function unreadable(text: string): ServiceError {
  const offset = jsonFault(text)
  return offset === null ? forbiddenKey(JSON.parse(text)) : malformed(text, offset)
}

function malformed(text: string, offset: number): ServiceError {
  const before = text.slice(0, offset).split('\n')
  const at = `line ${before.length}, column ${before.at(-1)!.length + 1}`
  const why = offset < text.length ? `the fault is at ${at}` : `it ends too early, at ${at}`
  return requestError(`The body is not valid JSON: ${why}. Send well-formed JSON.`, {
    path: '',
    message: `must be valid JSON; ${why}`,
  })
}

type Place = { value: unknown; key: string; parent: Place | null }

/** The first key that `getDefaultJsonParser` rejects: `__proto__`, or `constructor` with a `prototype`. */
function forbiddenKey(root: unknown): ServiceError {
  const open: Place[] = [{ value: root, key: '', parent: null }]
  for (let place = open.pop(); place; place = open.pop()) {
    const { value } = place
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (isForbidden(key, inner)) return forbidden(key, place)
      open.push({ value: inner, key, parent: place })
    }
  }
  return requestError('The body has a key that is not allowed. Remove it.', {
    path: '',
    message: 'must be an object',
  })
}

function isForbidden(key: string, value: unknown): boolean {
  if (key === '__proto__') return true
  return (
    key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
  )
}

function forbidden(key: string, within: Place): ServiceError {
  const path: string[] = []
  for (let place: Place | null = within; place?.parent; place = place.parent) path.unshift(place.key)
  const message = `must not have the key ${key}`
  return requestError(`The body has the key ${key}, which is not allowed. Remove it.`, {
    path: clipPath(path.join('.')),
    message,
  })
}

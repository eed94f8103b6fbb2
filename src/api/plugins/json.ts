import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { valuesOf } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { ServiceError } from '../../contract/errors.ts'
import { broken } from '../../contract/rules.ts'
import { jsonFault } from '../../domain/lib/json-fault.ts'
import { forbiddenKeyPath, hasMoreValues, inexactPath } from '../../domain/lib/json-values.ts'
import { clipPath, pathOf, requestError } from '../../services/validation-error.ts'

type Parse = (request: FastifyRequest, text: string) => Promise<unknown>

/**
 * A parser of JSON bodies. `onPoison`: what happens to keys that would reach a prototype; `error` rejects the body,
 * `remove` drops them, `ignore` keeps them. What has more values than its operation allows is rejected before the schema
 * looks at each. A number that was rounded is rejected with `error` alone: of other bodies each event is judged by itself.
 * @throws ServiceError validation_error, with the position of the fault, or the path of the forbidden key;
 *   payload_too_large
 */
export function jsonParser(app: FastifyInstance, onPoison: 'error' | 'remove' | 'ignore'): Parse {
  const parse = app.getDefaultJsonParser(onPoison, onPoison)
  return async (request, text) => {
    await throttleParsing(text.length)
    const body = await new Promise((resolve, reject) => {
      parse(request, text, (error, value) => (error ? reject(unreadable(text)) : resolve(value)))
    })
    const { operation } = request.routeOptions.config
    if (operation) assertValues(text, body, valuesOf(endpoints[operation]))
    if (onPoison === 'error') assertExact(text, body)
    return body
  }
}

function assertValues(text: string, body: unknown, most: number): void {
  if (text.length <= most || !hasMoreValues(body, most)) return
  const message = `Send at most ${most} values (list entries and fields) in one body. Split it.`
  throw new ServiceError('payload_too_large', message)
}

/** What a body holds that may have a number beyond 2^53 − 1: so many digits, or an exponent. */
const longNumber = /\d{16}|\de/i

/**
 * Rejects numbers that JSON.parse has rounded, before a schema could take one for something else (docs/design/api.md).
 * @throws ServiceError validation_error
 */
function assertExact(text: string, body: unknown): void {
  const path = longNumber.test(text) ? inexactPath(body) : null
  if (path === null) return
  const issue = { path: clipPath(pathOf(path)), ...broken('inexact_number') }
  throw requestError(`The request is invalid: ${issue.path || 'body'}: ${issue.message}.`, issue)
}

/** Why a body was not parsed: it is not JSON, or it has a key that would reach a prototype. */
function unreadable(text: string): ServiceError {
  const offset = jsonFault(text)
  return offset === null ? forbiddenKey(JSON.parse(text)) : malformed(text, offset)
}

function malformed(text: string, offset: number): ServiceError {
  const before = text.slice(0, offset).split('\n')
  const [line, column] = [before.length, before.at(-1)!.length + 1]
  const at = `line ${line}, column ${column}`
  const isCutOff = offset >= text.length
  const why = isCutOff ? `it ends too early, at ${at}` : `the fault is at ${at}`
  return requestError(`The body is not valid JSON: ${why}. Send well-formed JSON.`, {
    path: '',
    ...broken('malformed_json', { line, column, isCutOff }),
  })
}

/** The first key that `getDefaultJsonParser` rejects: `__proto__`, or `constructor` with a `prototype`. */
function forbiddenKey(root: unknown): ServiceError {
  const path = forbiddenKeyPath(root) ?? ['']
  const key = String(path.at(-1))
  return requestError(`The body has the key ${key}, which is not allowed. Remove it.`, {
    path: clipPath(path.slice(0, -1).join('.')),
    ...broken('forbidden_key', { key }),
  })
}

/** Characters from which parsing and validating a body takes milliseconds. */
const largeFrom = 64 * 1024
/** The longest pause after a body (ms); what else the event loop did meanwhile is counted in. */
const pauseMost = 200

let last: Promise<void> = Promise.resolve()

/**
 * Waits until a body of so many characters may be parsed. Large ones take turns in this process, and after each the
 * event loop is left to others for as long as it took: twenty of 2 MiB that arrive together would stop it for seconds.
 */
export async function throttleParsing(length: number): Promise<void> {
  if (length < largeFrom) return
  const previous = last
  const turn = Promise.withResolvers<void>()
  last = turn.promise
  await previous
  void pause(performance.now()).then(turn.resolve)
}

/** Parsing, validation and the first steps of the handler come before the immediate. */
async function pause(begun: number): Promise<void> {
  await setImmediate()
  await sleep(Math.min(performance.now() - begun, pauseMost))
}

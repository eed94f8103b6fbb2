import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Endpoint, valuesOf } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { ServiceError } from '../../contract/errors.ts'

export type Parse = ReturnType<FastifyInstance['getDefaultJsonParser']>

/** Characters from which parsing and validating a body takes milliseconds. */
const largeFrom = 64 * 1024
/** The longest pause after a body (ms); what else the event loop did meanwhile is counted in. */
const pauseMost = 200

let last: Promise<void> = Promise.resolve()

/**
 * Parses a JSON body. Large ones take turns in this process, and after each the event loop is left to others for as long
 * as it took: twenty of 2 MiB that arrive together would stop it for seconds. What has more values than its operation
 * allows is rejected before the schema looks at each of them.
 * @throws ServiceError payload_too_large, or what `parse` throws
 */
export async function parseInTurn(parse: Parse, request: FastifyRequest, text: string): Promise<unknown> {
  if (text.length < largeFrom) return parsed(parse, request, text)
  const previous = last
  const turn = Promise.withResolvers<void>()
  last = turn.promise
  await previous
  void pause(performance.now()).then(turn.resolve)
  return parsed(parse, request, text)
}

/** Validation and the first steps of the handler follow the parsing, before the immediate. */
async function pause(begun: number): Promise<void> {
  await setImmediate()
  await sleep(Math.min(performance.now() - begun, pauseMost))
}

async function parsed(parse: Parse, request: FastifyRequest, text: string): Promise<unknown> {
  const value = await new Promise((resolve, reject) => {
    parse(request, text, (error, body) => (error ? reject(error) : resolve(body)))
  })
  const { operation } = request.routeOptions.config ?? {}
  const most = operation === undefined ? 0 : valuesOf(endpoints[operation] as Endpoint)
  if (operation !== undefined && text.length > most && hasMoreValues(value, most))
    throw new ServiceError(
      'payload_too_large',
      `Send at most ${most} values (list entries and fields) in one body. Split it.`,
    )
  return value
}

/** Whether a value holds more than `most` others, at any depth. Walks without recursion: nesting is not limited yet. */
function hasMoreValues(root: unknown, most: number): boolean {
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

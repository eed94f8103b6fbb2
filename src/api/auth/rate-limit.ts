import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, isLimited, isRateLimited } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { OwnKey } from '../../contract/identity/own-key.ts'
import type { Db } from '../../db/connect.ts'
import { countRequest, type Window } from '../../db/queries/rate/rate.ts'
import type { Caller } from '../../domain/rights/principal.ts'
import { addressNameOf, nameOf } from '../caller-name.ts'
import { isStreamed } from '../plugins/upload.ts'
import { tokenBuckets } from './token-buckets.ts'

declare module 'fastify' {
  interface FastifyInstance {
    admit: AuthenticateWithinLimit
  }
}

/** Authenticates the caller with `open` and counts the request: against the caller, or its address if `open` throws. */
type AuthenticateWithinLimit = (
  request: FastifyRequest,
  reply: FastifyReply,
  open: () => Promise<Caller | null>,
) => Promise<Caller | null>

/** Requests a caller may make; 0: no limit. */
export type RateLimits = {
  /** In a rolling minute under the prefixes of `isLimited`, and failed credentials anywhere. */
  perMinute: number
  /** Sustained, everywhere else; ten times as many at once. */
  perSecond: number
}

/** Callers whose buckets are kept in memory. */
const callersMost = 10_000
/** Bytes of a body that cost as much as a request: to parse 2 MiB takes as long as a hundred of them. */
const bytesPerToken = 16 * 1024
const burstOf = (perSecond: number) => 10 * perSecond

/** The limits as callers read them; null: none. */
export function limitsOf({ perMinute, perSecond }: RateLimits): OwnKey['limits'] {
  return {
    perSecond: perSecond || null,
    burst: burstOf(perSecond) || null,
    perMinute: perMinute || null,
  }
}

type Rated = { name: string; socketBytes: number }
const rated = new WeakMap<FastifyRequest, Rated>()

/**
 * Limits the requests of each verified caller, or of a client's address if it is not verified. The prefixes of
 * `isLimited` (docs/api/events.md, Rate limit) share a rolling window across all processes; the other operations have a
 * token bucket per process, in memory. Requests that fail authentication count against the address, in a window or
 * bucket of the same size.
 */
export function limitRate(app: FastifyInstance, db: Db, { perMinute, perSecond }: RateLimits): void {
  const burst = burstOf(perSecond)
  const requests = tokenBuckets({ perSecond, burst, most: callersMost })
  const failures = tokenBuckets({ perSecond: perMinute / 60, burst: perMinute, most: callersMost })
  // The route's own path: callers can spell one path in many ways. Preflights are a browser's own requests.
  const inWindow = ({ method, routeOptions, originalUrl }: FastifyRequest) =>
    method !== 'OPTIONS' && isLimited(routeOptions.url ?? plain(originalUrl))

  const count = async (reply: FastifyReply, caller: string) => {
    const window = await countRequest(db, caller, perMinute)
    tellRate(reply, perMinute, window)
    return window
  }
  const admitInWindow: AuthenticateWithinLimit = async (request, reply, open) => {
    const caller = await open().catch(async (refused: unknown) => {
      if (refused instanceof ServiceError) assertWithinLimit(await count(reply, addressOf(request)), reply)
      throw refused
    })
    assertWithinLimit(await count(reply, caller ? nameOf(caller) : addressOf(request)), reply)
    return caller
  }

  const take = (request: FastifyRequest, reply: FastifyReply, name: string) => {
    if (perSecond === 0) return
    const result = requests.take(name, costOf(request), performance.now())
    rated.set(request, { name, socketBytes: request.raw.socket.bytesRead })
    tellRate(reply, burst, result)
    assertWithinLimit(result, reply)
  }
  const takeFailure = (request: FastifyRequest, reply: FastifyReply) => {
    if (perMinute === 0) return
    const result = failures.take(addressOf(request), 1, performance.now())
    tellRate(reply, perMinute, result)
    assertWithinLimit(result, reply)
  }
  const admitByBucket: AuthenticateWithinLimit = async (request, reply, open) => {
    const caller = await open().catch((refused: unknown) => {
      if (refused instanceof ServiceError) takeFailure(request, reply)
      throw refused
    })
    take(request, reply, caller ? nameOf(caller) : addressOf(request))
    return caller
  }

  app.decorate('admit', (request, reply, open) => {
    const endpoint = endpointOf(request)
    if (endpoint && !isRateLimited(endpoint)) return admitUnlimited(request, reply, open)
    if (!inWindow(request)) return admitByBucket(request, reply, open)
    return perMinute === 0 ? open() : admitInWindow(request, reply, open)
  })
  // Pages and paths that do not exist are not in the table of operations.
  app.addHook('onRequest', async (request, reply) => {
    if (!endpointOf(request) && !inWindow(request)) take(request, reply, addressOf(request))
  })
  app.addHook('preHandler', async (request) => {
    const paid = rated.get(request)
    if (!paid || request.headers['transfer-encoding'] === undefined || isStreamed(request)) return
    // The length of a body in chunks is known only now.
    const bytes = request.raw.socket.bytesRead - paid.socketBytes
    if (bytes >= bytesPerToken)
      requests.charge(paid.name, Math.floor(bytes / bytesPerToken), performance.now())
  })
  app.addHook('onSend', async (request, reply) => {
    if (
      perMinute === 0 ||
      !inWindow(request) ||
      reply.hasHeader('x-ratelimit-limit') ||
      reply.statusCode >= 500
    )
      return
    await count(reply, addressOf(request))
  })

  /** A channel's webhooks carry many people's events, and probes are asked by an orchestrator: only failures count. */
  async function admitUnlimited(...[request, reply, open]: Parameters<AuthenticateWithinLimit>) {
    return open().catch((refused: unknown) => {
      if (refused instanceof ServiceError) takeFailure(request, reply)
      throw refused
    })
  }
}

/** A URL of no operation with its escaped letters and slashes decoded, whether or not it is well-formed. */
function plain(url: string): string {
  return url.replaceAll(/%([2-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

function endpointOf({ routeOptions }: FastifyRequest): Endpoint | undefined {
  const { operation } = routeOptions.config ?? {}
  return operation && endpoints[operation]
}

function costOf(request: FastifyRequest): number {
  const { 'content-length': length, 'content-type': type = '' } = request.headers
  const { tokens } = request.routeOptions.config
  if (tokens !== undefined) return tokens
  const { upload, lines } = endpointOf(request) ?? {}
  if (upload || (lines && /ndjson/i.test(type))) return 1
  return 1 + Math.floor(Number(length ?? 0) / bytesPerToken)
}

/** What every answer says of the caller's limit. */
function tellRate(reply: FastifyReply, limit: number, { remaining, resetMs }: Window): void {
  reply
    .header('x-ratelimit-limit', limit)
    .header('x-ratelimit-remaining', remaining)
    .header('x-ratelimit-reset', Math.ceil(resetMs / 1_000))
}

function assertWithinLimit({ admitted, waitMs }: Window, reply: FastifyReply): void {
  if (admitted) return
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  reply.header('retry-after', seconds)
  throw new ServiceError('rate_limited', `Too many requests. Retry after ${seconds} s.`)
}

function addressOf({ ip }: FastifyRequest): string {
  return addressNameOf(ip)
}

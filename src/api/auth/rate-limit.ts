import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isLimited } from '../../contract/endpoint.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../db/connect.ts'
import { countRequest, type Window } from '../../db/queries/maintenance/rate.ts'
import type { Caller } from '../../domain/principal.ts'

declare module 'fastify' {
  interface FastifyInstance {
    admit: AuthenticateWithinLimit
  }
}

/** Authenticates the caller with `open` and counts the request: against the caller, or its address if `open` throws. */
export type AuthenticateWithinLimit = (
  request: FastifyRequest,
  reply: FastifyReply,
  open: () => Promise<Caller | null>,
) => Promise<Caller | null>

const names = { limit: 'x-ratelimit-limit', remaining: 'x-ratelimit-remaining' } as const

/**
 * Limits the prefixes of `isLimited` (docs/api/events.md, Rate limit) to `perMinute` requests in 60 rolling seconds for
 * each verified caller, across all processes; 0 means no limit. A request that fails authentication, or is answered
 * before it, counts against the client's address.
 */
export function limitRate(app: FastifyInstance, db: Db, perMinute: number): void {
  // The route's own path: callers can spell one path in many ways.
  const limited = ({ routeOptions, url }: FastifyRequest) =>
    perMinute > 0 && isLimited(routeOptions.url ?? url)
  const count = async (reply: FastifyReply, caller: string) => {
    const window = await countRequest(db, caller, perMinute)
    reply.header(names.limit, perMinute).header(names.remaining, window.remaining)
    return window
  }
  const admit: AuthenticateWithinLimit = async (request, reply, open) => {
    if (!limited(request)) return open()
    const caller = await open().catch(async (refused: unknown) => {
      if (refused instanceof ServiceError) assertWithinLimit(await count(reply, addressOf(request)), reply)
      throw refused
    })
    assertWithinLimit(await count(reply, caller ? nameOf(caller) : addressOf(request)), reply)
    return caller
  }

  app.decorate('admit', admit)
  app.addHook('onSend', async (request, reply) => {
    if (!limited(request) || reply.hasHeader(names.limit) || reply.statusCode >= 500) return
    await count(reply, addressOf(request))
  })
}

function assertWithinLimit({ admitted, waitMs }: Window, reply: FastifyReply): void {
  if (admitted) return
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  reply.header('retry-after', seconds)
  throw new ServiceError('rate_limited', `Too many requests within a minute. Retry after ${seconds} s.`)
}

function nameOf(caller: Caller): string {
  switch (caller.kind) {
    case 'producer':
      return `key:${caller.keyId}`
    case 'person':
      return `person:${caller.personId}`
    case 'recipient':
      return `subject:${caller.subjectId}`
    case 'event':
      return `event:${caller.keyId}`
    case 'adapter':
      return `adapter:${caller.channel}`
  }
}

function addressOf({ ip }: FastifyRequest): string {
  return `address:${ip}`
}

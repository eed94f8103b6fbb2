import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limits } from '../../contract/limits.ts'
import { type Db, poolSize } from '../../db/connect.ts'
import { createSemaphore } from '../../services/semaphore.ts'
import { addressNameOf, nameOf } from '../caller-name.ts'
import { isStreamed } from './upload.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Runs the work of a request when it is its caller's turn. */
    withSlot: <Result>(request: FastifyRequest, work: () => Promise<Result>) => Promise<Result>
  }
}

/** How long a request waits for others of the same caller (ms). */
const waitMs = 10_000

/**
 * Leaves database connections to others (docs/design/queues-and-fairness.md): the requests of one caller are handled by
 * at most half of the pool at a time. Files have slots of their own, because a slow sender keeps one for long. The
 * requests of one connection are handled one after the other, also those that were sent without waiting for a response
 * (pipelining); their responses have that order anyway.
 */
export function limitSlots(app: FastifyInstance, db: Db): void {
  const gate = createSemaphore({
    most: Math.max(1, Math.floor(poolSize(db) / 2)),
    waitMs,
    refusal: 'Too many of your requests are being handled at once. Try again in a moment.',
  })
  const uploads = createSemaphore({
    most: limits.uploadsPerUnit,
    waitMs,
    refusal: 'Your unit is uploading other files. Try again when one of them has ended.',
  })
  app.decorate('withSlot', (request, work) => (isStreamed(request) ? uploads : gate)(callerOf(request), work))

  const last = new WeakMap<Socket, Promise<void>>()
  app.addHook('onRequest', async ({ raw }, reply) => {
    const previous = last.get(raw.socket)
    last.set(raw.socket, new Promise((done) => void reply.raw.once('close', done)))
    await previous
  })
}

/** Who shares the slots of a request: a unit, whatever key it calls with; without credentials, an address. */
function callerOf({ principal, ip, routeOptions }: FastifyRequest): string {
  if (principal?.kind === 'producer') return `unit:${principal.unitId}`
  // By operation, so that probes do not wait for other pages that a proxy asks for.
  return principal ? nameOf(principal) : `${addressNameOf(ip)} ${routeOptions.url}`
}

import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'

/** With a mean event loop delay above this (ms), responses would be too late: the process sheds load. */
const maxEventLoopDelay = 1_000
const sampleInterval = 1_000
/** Never shed: an orchestrator needs the state of the process itself. */
const probes = ['/livez']

/** Rejects requests with 503 and Retry-After while the process is overloaded. */
export async function shedLoad(app: FastifyInstance): Promise<void> {
  // Start-up keeps the event loop busy; samples that include some of it are ignored.
  let ignoredUntil = Number.POSITIVE_INFINITY
  app.addHook('onReady', async () => {
    ignoredUntil = performance.now() + 2 * sampleInterval
  })
  await app.register(underPressure, {
    maxEventLoopDelay,
    sampleInterval,
    pressureHandler: async (request) => {
      if (probes.includes(request.url) || performance.now() < ignoredUntil) return
      throw new ServiceError('unavailable', 'Carillon is overloaded. Try again in a moment.')
    },
  })
}

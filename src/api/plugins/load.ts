import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'

/** An event loop that is so late (ms, the mean of a second) answers nobody in time: better say so at once. */
const maxEventLoopDelay = 1_000
const sampleInterval = 1_000
/** An orchestrator that asks these must hear the truth about the process itself. */
const probes = ['/livez', '/metrics']

/** Refuses requests with 503 and Retry-After while the process cannot keep up. */
export async function shedLoad(app: FastifyInstance): Promise<void> {
  // Getting ready keeps the loop busy; the samples that still hold some of that say nothing about requests.
  let believedFrom = Number.POSITIVE_INFINITY
  app.addHook('onReady', async () => {
    believedFrom = performance.now() + 2 * sampleInterval
  })
  await app.register(underPressure, {
    maxEventLoopDelay,
    sampleInterval,
    pressureHandler: async (request) => {
      if (probes.includes(request.url) || performance.now() < believedFrom) return
      throw new ServiceError('unavailable', 'Carillon has too much to do now. Try again in a moment.')
    },
  })
}

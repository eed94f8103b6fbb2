import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'

/** With a mean event loop delay above this in a sample (ms), responses are late. */
const maxEventLoopDelay = 1_000
const sampleInterval = 1_000
/** How long before load is shed (ms): one costly request can fill a sample, and waiting for its end is shorter. */
const sustainedMs = 3_000
/** Never shed: an orchestrator needs the state of the process itself. */
const probes = ['/livez']

/** Rejects requests with 503 and Retry-After while the process is overloaded, and has been for some samples. */
export async function shedLoad(app: FastifyInstance): Promise<void> {
  let calmAt = Number.POSITIVE_INFINITY
  await app.register(underPressure, {
    maxEventLoopDelay,
    sampleInterval,
    pressureHandler: async (request) => {
      if (probes.includes(request.url) || performance.now() - calmAt < sustainedMs) return
      throw new ServiceError('unavailable', 'Carillon is overloaded. Try again in a moment.')
    },
  })
  const timer = setInterval(() => {
    if (!app.isUnderPressure()) calmAt = performance.now()
  }, sampleInterval).unref()
  app.addHook('onReady', async () => {
    calmAt = performance.now()
  })
  app.addHook('onClose', async () => clearInterval(timer))
}

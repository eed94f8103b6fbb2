import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'

/** With a mean event loop delay above this in a sample (ms), responses are late. */
const maxEventLoopDelay = 1_000
const sampleInterval = 1_000
/** Late samples in a row from which load is shed: one costly request fills a sample, and its end is soon. */
const lateSamples = 3
/** Never shed: an orchestrator needs the state of the process itself. */
const probes = ['/livez']

/** Rejects requests with 503 and Retry-After while the process is overloaded, and has been for some samples. */
export async function shedLoad(app: FastifyInstance): Promise<void> {
  let late = 0
  await app.register(underPressure, {
    maxEventLoopDelay,
    sampleInterval,
    pressureHandler: async (request) => {
      if (late < lateSamples || probes.includes(request.url)) return
      throw new ServiceError('unavailable', 'Carillon is overloaded. Try again in a moment.')
    },
  })
  const timer = setInterval(() => {
    late = app.isUnderPressure() ? late + 1 : 0
  }, sampleInterval).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

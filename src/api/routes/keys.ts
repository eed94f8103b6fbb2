import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import { getOwnKey } from '../../services/identity/own-key.ts'
import { limitsOf, type RateLimits } from '../auth/rate-limit.ts'
import { serve } from '../serve.ts'

/** The rights of a producer key, for its callers (docs/api/keys.md). */
export function keyRoutes(app: FastifyInstance, services: Services, rates: RateLimits): void {
  serve(app, 'getKey', async ({ principal }) => ({
    ...(await getOwnKey(services, principal)),
    limits: limitsOf(rates),
  }))
}

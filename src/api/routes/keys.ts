import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import { getOwnKey } from '../../services/identity/own-key.ts'
import { limitsOf, type RateLimits } from '../auth/rate-limit.ts'
import { serve } from '../serve.ts'

/** What a producer key may do, for whoever calls with it (docs/api/keys.md). */
export function keyRoutes(app: FastifyInstance, services: Services, rates: RateLimits): void {
  serve(app, 'getKey', async ({ principal }) => ({
    ...(await getOwnKey(services, principal)),
    limits: limitsOf(rates),
  }))
}

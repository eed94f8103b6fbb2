import type { FastifyInstance } from 'fastify'
import { liveScript, liveScriptPath } from '../pages/live.ts'

/** What pages load besides themselves. It is the same for everybody. */
export function assetRoutes(app: FastifyInstance): void {
  app.get(liveScriptPath, (_request, reply) => {
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    return reply.type('text/javascript; charset=utf-8').send(liveScript)
  })
}

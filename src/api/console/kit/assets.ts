import type { FastifyInstance } from 'fastify'
import { keysOf } from '../../../contract/enums.ts'
import { scriptPaths, scripts } from './scripts.ts'

/** What pages load besides themselves. It is the same for everybody. */
export function assetRoutes(app: FastifyInstance): void {
  for (const name of keysOf(scripts))
    app.get(scriptPaths[name], (_request, reply) => {
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return reply.type('text/javascript; charset=utf-8').send(scripts[name])
    })
}

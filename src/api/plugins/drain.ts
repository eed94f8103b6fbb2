import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Set when the process is asked to end: new work should go elsewhere, but nobody is turned away yet. */
    draining: boolean
  }
}

/**
 * While draining, every answer asks its caller to close the connection. So kept-alive connections come to their end
 * after an answer, and none is cut under a request.
 */
export function drainGently(app: FastifyInstance): void {
  app.decorate('draining', false)
  app.addHook('onSend', async (_request, reply) => {
    if (app.draining) reply.header('connection', 'close')
  })
}

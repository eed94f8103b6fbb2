import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** `unready`: new work should go elsewhere. `leaving`: the door is shut, and callers inside are asked to go. */
    draining: false | 'unready' | 'leaving'
  }
}

/** Time (ms) in which load balancers notice /readyz. */
const noticeMs = 1_000
/** Time (ms) in which kept-alive connections come to their end with an answer. */
const leaveMs = 1_000

/** Lets an application be drained: its answers then ask for the end of their connection. */
export function enableDraining(app: FastifyInstance): void {
  app.decorate('draining', false)
  app.addHook('onSend', async (_request, reply) => {
    if (app.draining === 'leaving') reply.header('connection', 'close')
  })
}

/**
 * Closes an application so that no connection is cut under a request: first unready, then deaf to new connections, and
 * only when the old ones had time to end with an answer are those closed that say nothing.
 */
export async function drain(app: FastifyInstance): Promise<void> {
  app.draining = 'unready'
  await sleep(noticeMs)
  app.draining = 'leaving'
  // The HTTP server's own close would also cut connections that are about to ask.
  Server.prototype.close.call(app.server)
  await sleep(leaveMs)
  await app.close()
}

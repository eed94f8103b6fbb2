import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** `unready`: load balancers should stop sending requests. `leaving`: no new connections; open ones are closing. */
    draining: false | 'unready' | 'leaving'
  }
}

/** Time for load balancers to notice /readyz (ms). */
const noticeMs = 1_000
/** Time for kept-alive connections to end with a response (ms). */
const leaveMs = 1_000

/** Makes an application drainable: while it is `leaving`, its responses close their connection. */
export function enableDraining(app: FastifyInstance): void {
  app.decorate('draining', false)
  app.addHook('onSend', async (_request, reply) => {
    if (app.draining === 'leaving') reply.header('connection', 'close')
  })
}

/**
 * Closes an application without cutting a connection during a request: first it is unready, then it accepts no new
 * connections, and only after open connections had time to end with a response does it close the idle ones.
 */
export async function drain(app: FastifyInstance): Promise<void> {
  app.draining = 'unready'
  await sleep(noticeMs)
  app.draining = 'leaving'
  // The HTTP server's own close would also cut connections that are about to send a request.
  Server.prototype.close.call(app.server)
  await sleep(leaveMs)
  await app.close()
}

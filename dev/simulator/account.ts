import type { FastifyInstance } from 'fastify'
import { checkMessages } from './check-message.ts'
import { badBody, providerTexts, refusal } from './responses.ts'
import { readObject, type SendingContext } from './sending.ts'
import { destination } from './webhook-event.ts'

/** The provider's other calls: validation, monthly quota, account info and profiles. */
export function accountRoutes(app: FastifyInstance, { account, memory }: SendingContext): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization === `Bearer ${account.token}`) return
    return reply.code(401).send(refusal(401, providerTexts.badToken).body)
  })

  for (const endpoint of ['push', 'multicast', 'reply', 'narrowcast', 'broadcast'])
    app.post<{ Body: string }>(`/v2/bot/message/validate/${endpoint}`, async (request, reply) => {
      const details = checkMessages(readObject(request.body)?.messages)
      return details.length === 0 ? {} : reply.code(400).send(badBody(details).body)
    })

  app.get('/v2/bot/message/quota', async () =>
    account.monthlyLimit === undefined ? { type: 'none' } : { type: 'limited', value: account.monthlyLimit },
  )

  app.get('/v2/bot/message/quota/consumption', async () => ({ totalUsage: memory.usedThisMonth() }))

  app.get('/v2/bot/info', async () => ({
    userId: destination,
    basicId: '@carillon',
    displayName: 'Carillon',
    chatMode: 'bot',
    markAsReadMode: 'auto',
  }))

  app.get<{ Params: { userId: string } }>(
    '/v2/bot/profile/:userId',
    async ({ params: { userId } }, reply) => {
      if (!/^U[0-9a-f]{32}$/.test(userId))
        return reply.code(404).send(refusal(404, providerTexts.notFound).body)
      return { userId, displayName: `Person ${userId.slice(1, 5)}` }
    },
  )
}

import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { PhoneAction } from '../phone-actions.ts'
import { readObject } from '../sending.ts'
import type { WebhookSender } from '../webhook.ts'
import { eventOf } from '../webhook-event.ts'
import { conversation, type Talk } from './conversation.ts'
import { type Phone, page, recentList, stylesheets } from './page.ts'
import type { Recent } from './recent-recipients.ts'

type Parts = Talk & {
  recent: Recent
  sender: WebhookSender
  issueReplyToken: (userId: string) => string
}

/** The routes of the phones: the page, the requests of the open page, and actions on phones. */
export function phoneRoutes(app: FastifyInstance, { recent, ...parts }: Parts): void {
  app.get<{ Querystring: { left?: string; right?: string } }>('/', async ({ query }, reply) => {
    const phone = async (side: Phone['side'], locale: Phone['locale']): Promise<Phone> => {
      const id = query[side] ?? recent.list().find((person) => person.locale === locale)?.id ?? ''
      return { side, locale, id, ...(await conversation(parts, id)) }
    }
    const phones = await Promise.all([phone('left', 'zh-TW'), phone('right', 'en')])
    return reply.type('text/html; charset=utf-8').send(page(phones, recent.list()).markup)
  })

  app.get<{ Params: { id: string }; Querystring: { since?: string } }>(
    '/phones/:id',
    async ({ params, query }) => conversation(parts, params.id, query.since),
  )

  actRoute(app, parts)

  app.get('/recent', async (_, reply) =>
    reply.type('text/html; charset=utf-8').send(recentList(recent.list()).markup),
  )

  for (const name of [...stylesheets, 'phone.js'])
    app.get(`/${name}`, async (_, reply) =>
      reply
        .type(name.endsWith('.css') ? 'text/css' : 'text/javascript')
        .send(await readFile(new URL(name, import.meta.url))),
    )
}

/**
 * Performs an action. Responds with the event posted to the webhook and its response status; null without a response.
 */
function actRoute(app: FastifyInstance, { acts, sender, issueReplyToken }: Omit<Parts, 'recent'>): void {
  app.post<{ Params: { id: string }; Body: string }>(
    '/phones/:id/actions',
    async ({ params, body }, reply) => {
      const act = PhoneAction.safeParse(readObject(body ?? ''))
      if (!act.success) return reply.code(400).send({ message: z.prettifyError(act.error) })
      if (!/^U[0-9a-f]{32}$/.test(params.id))
        return reply.code(400).send({ message: 'The id of a phone must be U and 32 hexadecimal digits.' })
      const hadBlocked = acts.hadBlocked(params.id)
      const event = eventOf(acts.record(params.id, act.data), { hadBlocked, issueReplyToken })
      return { event, status: await sender.tell(event) }
    },
  )
}

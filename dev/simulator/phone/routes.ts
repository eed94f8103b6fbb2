import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Journal } from '../journal.ts'
import { conversation } from './conversation.ts'
import { type Phone, page, recentList, stylesheets } from './page.ts'
import type { Recent } from './recent.ts'

/** The phones: a page, and what it asks for while it is open. */
export function phoneRoutes(
  app: FastifyInstance,
  { journal, recent }: { journal: Journal; recent: Recent },
): void {
  app.get<{ Querystring: { left?: string; right?: string } }>('/', async ({ query }, reply) => {
    const phone = async (side: Phone['side'], locale: Phone['locale']): Promise<Phone> => {
      const id = query[side] ?? recent.list().find((person) => person.locale === locale)?.id ?? ''
      return { side, locale, id, ...(await conversation(journal, id)) }
    }
    const phones = await Promise.all([phone('left', 'zh-TW'), phone('right', 'en')])
    return reply.type('text/html; charset=utf-8').send(page(phones, recent.list()).markup)
  })

  app.get<{ Params: { id: string }; Querystring: { since?: string } }>(
    '/phones/:id',
    async ({ params, query }) => conversation(journal, params.id, Number(query.since ?? 0) || 0),
  )

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

import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { paletteSheet } from '../../../src/channels/palette.ts'
import { textOf } from '../../../src/html/markup.ts'
import { directory, isFound } from '../../demo/directory.ts'
import { languageOf, rememberLanguage } from '../../language.ts'
import { PhoneAction } from '../phone-actions.ts'
import { readObject } from '../sending.ts'
import type { WebhookSender } from '../webhook.ts'
import { eventOf } from '../webhook-event.ts'
import { conversation, type Talk } from './conversation.ts'
import {
  type ListedPerson,
  type Listing,
  ownerName,
  type Phone,
  page,
  peopleList,
  stylesheets,
} from './page.ts'
import type { Recent } from './recent-recipients.ts'

type Parts = Omit<Talk, 'language'> & {
  recent: Recent
  sender: WebhookSender
  issueReplyToken: (userId: string) => string
}

const peopleShown = 50

/** The routes of the phones: the page, the requests of the open page, and actions on phones. */
export function phoneRoutes(app: FastifyInstance, { recent, ...parts }: Parts): void {
  const listingOf = (search = ''): Listing => ({
    people: search.trim() ? searchPeople(recent, search) : recent.list(),
    search,
  })

  app.get<{ Querystring: { left?: string; right?: string; q?: string } }>('/', async (request, reply) => {
    const { query } = request
    const language = languageOf(request)
    rememberLanguage(reply, language)
    const phone = async (side: Phone['side'], locale: Phone['locale']): Promise<Phone> => {
      const id = query[side] ?? recent.list().find((person) => person.locale === locale)?.id ?? ''
      return { side, locale, id, ...(await conversation({ ...parts, language }, id)) }
    }
    const phones = await Promise.all([phone('left', 'zh-TW'), phone('right', 'en')])
    return reply.type('text/html; charset=utf-8').send(textOf(page(phones, listingOf(query.q), language)))
  })

  app.get<{ Querystring: { q?: string } }>('/people', async ({ query }) => ({
    items: directory().flatMap(({ chat, uid, name, locale }) =>
      chat && isFound(chat, query.q ?? '') ? [{ id: chat, uid, name, locale }] : [],
    ),
  }))

  app.get<{ Params: { id: string }; Querystring: { since?: string } }>('/phones/:id', async (request) => {
    const { id } = request.params
    return conversation({ ...parts, language: languageOf(request) }, id, request.query.since)
  })

  app.get<{ Params: { id: string } }>('/phones/:id/owner', async ({ params }) => ({
    name: ownerName(params.id) ?? null,
  }))

  actRoute(app, parts)

  app.get<{ Querystring: { q?: string } }>('/recent', async (request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .send(textOf(peopleList(listingOf(request.query.q), languageOf(request)))),
  )

  app.get('/palette.css', async (_, reply) => reply.type('text/css').send(paletteSheet))
  for (const name of [...stylesheets.slice(1), 'phone.js'])
    app.get(`/${name}`, async (_, reply) =>
      reply
        .type(name.endsWith('.css') ? 'text/css' : 'text/javascript')
        .send(await readFile(new URL(name, import.meta.url))),
    )
}

/** Recent recipients first, then the other people of the demo. */
function searchPeople(recent: Recent, search: string): ListedPerson[] {
  const matches = recent.list().filter(({ id }) => isFound(id, search))
  const others = directory().flatMap(({ chat, locale }) =>
    chat && isFound(chat, search) && !matches.some(({ id }) => id === chat) ? [{ id: chat, locale }] : [],
  )
  return [...matches, ...others].slice(0, peopleShown)
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

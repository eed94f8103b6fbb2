import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import PostalMime from 'postal-mime'
import { paletteSheet } from '../../../src/channels/palette.ts'
import { textOf } from '../../../src/html/markup.ts'
import { languageOf, rememberLanguage } from '../../language.ts'
import type { MailStore } from '../store.ts'
import { listing, mailList } from './list.ts'
import { page } from './page.ts'

const assets = ['inbox.css', 'mail.css', 'inbox.js']
/** A mail may load images and use its own styles, but run no scripts. */
const mailPolicy =
  "default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'; base-uri 'self'"

/** The routes of the inbox: the page, the list it reloads, and each mail's HTML and source. */
export function inboxRoutes(app: FastifyInstance, store: MailStore): void {
  type Query = { to?: string; mail?: string; before?: string }
  const listOf = ({ to = '', before }: Query, openSeq: number | undefined) =>
    listing(store.newest(), { search: to, before: before ? Number(before) : undefined, shown: openSeq })

  app.get<{ Querystring: Query }>('/', async (request, reply) => {
    const { query } = request
    const language = languageOf(request)
    rememberLanguage(reply, language)
    const item = query.mail ? await store.find(Number(query.mail)) : listOf(query, undefined).items[0]
    const mail = item && { item, content: await PostalMime.parse(await store.read(item)) }
    const list = listOf(query, item?.seq)
    return reply.type('text/html; charset=utf-8').send(textOf(page(list, mail, language)))
  })

  app.get<{ Querystring: Query }>('/mails', async (request, reply) => {
    const { query } = request
    const list = listOf(query, Number(query.mail))
    return reply.type('text/html; charset=utf-8').send(textOf(mailList(list, languageOf(request))))
  })

  app.get<{ Params: { seq: string } }>('/mails/:seq/html', async ({ params }, reply) => {
    const item = await store.find(Number(params.seq))
    if (!item) return reply.code(404).send({ message: 'No mail with this number.' })
    const { html = '' } = await PostalMime.parse(await store.read(item))
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', mailPolicy)
      .send(html.replace(/<head>/i, '<head><base target="_blank">')) // links open in a new tab, not in the frame
  })

  app.get<{ Params: { seq: string } }>('/mails/:seq/raw', async ({ params }, reply) => {
    const item = await store.find(Number(params.seq))
    if (!item) return reply.code(404).send({ message: 'No mail with this number.' })
    return reply.type('text/plain; charset=utf-8').send(await store.read(item))
  })

  app.get('/palette.css', async (_, reply) => reply.type('text/css').send(paletteSheet))
  for (const name of assets)
    app.get(`/${name}`, async (_, reply) =>
      reply
        .type(name.endsWith('.css') ? 'text/css' : 'text/javascript')
        .send(await readFile(new URL(name, import.meta.url))),
    )
}

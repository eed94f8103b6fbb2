import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import PostalMime from 'postal-mime'
import type { MailItem, MailStore } from '../store.ts'
import { addresses, listing, mailList } from './list.ts'
import { page } from './page.ts'

const assets = ['inbox.css', 'mail.css', 'inbox.js']
/** A mail may load images and use its own styles, but run no scripts. */
const mailPolicy =
  "default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'; base-uri 'self'"

/** The routes of the inbox: the page, the list it reloads, and each mail's HTML and source. */
export function inboxRoutes(app: FastifyInstance, store: MailStore): void {
  const found = (search: string): MailItem[] => {
    const wanted = search.trim().toLowerCase()
    return store.newest().filter(({ to }) => addresses(to).toLowerCase().includes(wanted))
  }

  app.get<{ Querystring: { to?: string; mail?: string } }>('/', async ({ query }, reply) => {
    const items = found(query.to ?? '')
    const item = query.mail ? store.find(Number(query.mail)) : items[0]
    const mail = item && { item, content: await PostalMime.parse(await store.read(item)) }
    const list = listing(items, { search: query.to ?? '', shown: item?.seq })
    return reply.type('text/html; charset=utf-8').send(page(list, mail).markup)
  })

  app.get<{ Querystring: { to?: string; mail?: string } }>('/mails', async ({ query }, reply) => {
    const list = listing(found(query.to ?? ''), { search: query.to ?? '', shown: Number(query.mail) })
    return reply.type('text/html; charset=utf-8').send(mailList(list).markup)
  })

  app.get<{ Params: { seq: string } }>('/mails/:seq/html', async ({ params }, reply) => {
    const item = store.find(Number(params.seq))
    if (!item) return reply.code(404).send({ message: 'No mail with this number.' })
    const { html = '' } = await PostalMime.parse(await store.read(item))
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', mailPolicy)
      .send(html.replace(/<head>/i, '<head><base target="_blank">')) // links open in a new tab, not in the frame
  })

  app.get<{ Params: { seq: string } }>('/mails/:seq/raw', async ({ params }, reply) => {
    const item = store.find(Number(params.seq))
    if (!item) return reply.code(404).send({ message: 'No mail with this number.' })
    return reply.type('text/plain; charset=utf-8').send(await store.read(item))
  })

  for (const name of assets)
    app.get(`/${name}`, async (_, reply) =>
      reply
        .type(name.endsWith('.css') ? 'text/css' : 'text/javascript')
        .send(await readFile(new URL(name, import.meta.url))),
    )
}

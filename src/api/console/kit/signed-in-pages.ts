import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Locale } from '../../../contract/enums.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { ReturnTo, type Session } from '../../../contract/identity/sign-in.ts'
import type { PersonPrincipal } from '../../../domain/rights/principal.ts'
import type { Services } from '../../../services/context.ts'
import { findSession } from '../../../services/identity/session.ts'
import { rejectUnstorableText } from '../../plugins/bodies.ts'
import { prepareError } from '../../plugins/errors.ts'
import { areaPaths, menuOf, type SignedInArea } from './menu.ts'
import { deskPolicy, type Page, renderPage, showPage } from './page.ts'
import { pathOf } from './page-address.ts'
import { localeOf, pageLocale } from './reader.ts'
import { requestFailedPage, signInAgainPage } from './signed-in-errors.ts'

/** A form has a reply of at most 5,000 characters, each of up to three bytes in three characters; a message many texts. */
const bodyBytes = (area: SignedInArea) => (area === 'compose' ? 1_024 : 48) * 1_024

/** The person of a request, their session, and the language of their pages. */
export type Reader = { principal: PersonPrincipal; session: Session; locale: Locale }
/** Answers with a page, or with a reply that leads to another. */
export type Handler = (
  reader: Reader,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Page | FastifyReply>
/** Adds a page, or what takes its form. */
type SignedInPages = Record<'get' | 'post', (path: string, handler: Handler) => void>

/**
 * Pages of HTML for people who are signed in. Without a session they lead to sign-in, which returns to them. They are not
 * in the table of operations. `area`: what they are about, for the words of their errors.
 */
export function signedInPages(
  app: FastifyInstance,
  { db, publicUrl = '' }: Services,
  area: SignedInArea,
  addPages: (pages: SignedInPages) => void,
): void {
  const readers = new WeakMap<FastifyRequest, Reader>()
  const loginFor = (path: string) => {
    const returnTo = ReturnTo.safeParse(path).data ?? areaPaths[area]
    return `${publicUrl}/v1/auth/login?returnTo=${encodeURIComponent(returnTo)}`
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: bodyBytes(area) },
      (_request, body, done) => done(null, body),
    )
    // An error of a page is a page too.
    scope.setErrorHandler((thrown, request, reply) => {
      const { code } = prepareError(thrown, request, reply)
      const reader = readers.get(request)
      const failed = { code, requestId: request.id }
      const page = requestFailedPage(area, reader?.locale ?? localeOf(request), failed)
      const menu = reader && menuOf(reader, area, request)
      return showPage(reply, renderPage(page, menu), deskPolicy)
    })
    scope.addHook('onRequest', async (request, reply) => {
      const reader = await readerOf(request, reply)
      if (reader) return void readers.set(request, reader)
      const login = loginFor(request.method === 'POST' ? pathOf(request) : request.url)
      if (request.method !== 'POST') return reply.header('cache-control', 'no-store').redirect(login, 303)
      // A redirect from a form to the identity provider would be another site's: browsers refuse it.
      reply.code(401)
      return showPage(reply, renderPage(signInAgainPage(localeOf(request), login)))
    })
    const withSlot = (handler: Handler) => async (request: FastifyRequest, reply: FastifyReply) => {
      const reader = readers.get(request)!
      rejectUnstorableText(request.query)
      const answer = await app.withSlot(request, () => handler(reader, request, reply))
      // A reply that leads elsewhere can be awaited: it has been sent by now, and is no value.
      if (!answer || !('title' in answer)) return reply
      const menu = menuOf(reader, area, request)
      return showPage(reply, renderPage(answer, menu), deskPolicy)
    }
    addPages({
      get: (path, handler) => void scope.get(path, withSlot(handler)),
      post: (path, handler) => void scope.post(path, withSlot(handler)),
    })
  })

  /** The person who is signed in; undefined without a session, or if it has ended. */
  async function readerOf(request: FastifyRequest, reply: FastifyReply): Promise<Reader | undefined> {
    const token = request.cookies.hub_session
    if (token === undefined) return undefined
    const open = () => app.authenticators.session(request, token)
    const caller = await app.admit(request, reply, open).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'invalid_credential') return null
      throw error
    })
    const session = caller && (await findSession(db, token))
    if (caller?.kind !== 'person' || !session) return undefined
    request.principal = caller
    return { principal: caller, session, locale: pageLocale(session, request) }
  }
}

/** A page of the list of one unit; none: the beginning of all of them. */
export function pageIn(query: unknown): { unitId: string; cursor: string } | undefined {
  const { unitId, cursor } = query as { unitId?: unknown; cursor?: unknown }
  return typeof unitId === 'string' && typeof cursor === 'string' ? { unitId, cursor } : undefined
}

import type { FastifyInstance } from 'fastify'
import { locales } from '../../../contract/enums.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { ReturnTo } from '../../../contract/identity/sign-in.ts'
import { findSessionPrincipal } from '../../../db/queries/identity/session.ts'
import { findUnits } from '../../../db/queries/identity/unit.ts'
import type { Services } from '../../../services/context.ts'
import { homeFor } from '../../../services/home.ts'
import { findSession } from '../../../services/identity/session.ts'
import { sha256 } from '../../../signing.ts'
import { cookiesFor } from '../../auth/cookies.ts'
import { foreignForm, formOf } from '../kit/form.ts'
import { menuOf, switchLanguagePath } from '../kit/menu.ts'
import { deskPolicy, renderPage, showPage } from '../kit/page.ts'
import { localeOf, pageLocale } from '../kit/reader.ts'
import { signedInPages } from '../kit/signed-in-pages.ts'
import { switchUnitPath, unitIdOf } from '../kit/unit-in.ts'
import { startPage } from './sign-in-page.ts'

/**
 * The start page, where a sign-in without `returnTo` ends: who is signed in, and what waits for
 * them; and the switches of the menu between units and languages.
 */
export function startRoute(app: FastifyInstance, services: Services): void {
  const { db, publicUrl = '' } = services
  // The provider redirects to the public address, so sign-in must begin there too, not at a name such as localhost.
  const login = `${publicUrl}/v1/auth/login`

  app.get('/', async (request, reply) => {
    const token = request.cookies.hub_session
    const session = token === undefined ? null : await findSession(db, token)
    const person = session && token ? await findSessionPrincipal(db, sha256(token)) : undefined
    const locale = session ? pageLocale(session, request) : localeOf(request)
    const units = session
      ? await findUnits(
          db,
          session.units.map(({ id }) => id),
        )
      : []
    const chosen = session && unitIdOf(session, request)
    const unit = units.find(({ id }) => id === chosen) ?? null
    const home = person
      ? await homeFor(services, person.principal, unit)
      : { waiting: [], attention: [], patterns: [], unanswered: 0, standing: null }
    const page = startPage(locale, session, { login, units, home })
    const menu = session && menuOf({ session, locale }, 'home', request)
    return showPage(reply, renderPage(page, menu ?? undefined), deskPolicy)
  })

  signedInPages(app, services, 'home', ({ post }) => {
    post(switchUnitPath, async ({ session }, request, reply) => {
      const form = formOf(request)
      const unit = session.units.find(({ id }) => id === form.get('unit'))
      if (!unit) throw new ServiceError('not_found', 'No such unit. Choose one of yours.')
      cookiesFor(publicUrl).setUnit(reply, unit.id)
      return reply.redirect(ReturnTo.safeParse(form.get('to')).data ?? '/', 303)
    })

    post(switchLanguagePath, async (_reader, request, reply) => {
      const form = formOf(request)
      const language = locales.find((one) => one === form.get('language'))
      if (!language) throw foreignForm()
      cookiesFor(publicUrl).setLanguage(reply, language)
      return reply.redirect(ReturnTo.safeParse(form.get('to')).data ?? '/', 303)
    })
  })
}

import type { FastifyInstance } from 'fastify'
import { findSessionPrincipal } from '../../../db/queries/identity/session.ts'
import { findUnits } from '../../../db/queries/identity/unit.ts'
import type { Services } from '../../../services/context.ts'
import { homeFor } from '../../../services/home.ts'
import { findSession } from '../../../services/identity/session.ts'
import { sha256 } from '../../../signing.ts'
import { menuOf } from '../kit/menu.ts'
import { deskPolicy, renderPage, showPage } from '../kit/page.ts'
import { localeOf } from '../kit/reader.ts'
import { startPage } from './sign-in-page.ts'

/**
 * The start page, where a sign-in without `returnTo` ends: who is signed in, and what waits for
 * them.
 */
export function startRoute(app: FastifyInstance, services: Services): void {
  const { db, publicUrl = '' } = services
  // The provider redirects to the public address, so sign-in must begin there too, not at a name such as localhost.
  const login = `${publicUrl}/v1/auth/login`

  app.get('/', async (request, reply) => {
    const token = request.cookies.hub_session
    const session = token === undefined ? null : await findSession(db, token)
    const person = session && token ? await findSessionPrincipal(db, sha256(token)) : undefined
    const home = person
      ? await homeFor(services, person.principal)
      : { waiting: [], attention: [], unanswered: 0 }
    const locale = session?.language ?? localeOf(request)
    const units = session
      ? await findUnits(
          db,
          session.units.map(({ id }) => id),
        )
      : []
    const page = startPage(locale, session, { login, units, home })
    return showPage(reply, renderPage(page, session ? menuOf(session, 'home') : undefined), deskPolicy)
  })
}

import type { FastifyInstance } from 'fastify'
import { findSessionPrincipal } from '../../db/queries/identity/session.ts'
import { findUnits } from '../../db/queries/identity/unit.ts'
import { shownName } from '../../domain/content/sending-unit.ts'
import { waitingFor } from '../../services/approvals/list.ts'
import type { Services } from '../../services/context.ts'
import { findSession } from '../../services/identity/session.ts'
import { sha256 } from '../../signing.ts'
import { localeOf } from '../pages/reader.ts'
import { showPage } from '../pages/send-page.ts'
import { startPage } from '../pages/sign-in-page.ts'

/**
 * The start page, where a sign-in without `returnTo` ends: who is signed in, what waits for their approval, and a link
 * to the API reference.
 */
export function startRoute(app: FastifyInstance, services: Services): void {
  const { db, publicUrl = '' } = services
  // The provider redirects to the public address, so sign-in must begin there too, not at a name such as localhost.
  const login = `${publicUrl}/v1/auth/login`

  app.get('/', async (request, reply) => {
    const token = request.cookies.hub_session
    const session = token === undefined ? null : await findSession(db, token)
    const person = session && token ? await findSessionPrincipal(db, sha256(token)) : undefined
    const waiting = person ? await waitingFor(services, person.principal) : []
    const locale = session?.language ?? localeOf(request)
    const units = session
      ? await findUnits(
          db,
          session.units.map(({ id }) => id),
        )
      : []
    const unitNames = new Map(units.map((unit) => [unit.id, shownName(locale, unit)]))
    return showPage(reply, startPage(locale, session, { login, unitNames, waiting }))
  })
}

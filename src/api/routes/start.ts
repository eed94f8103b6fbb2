import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import { findSession } from '../../services/identity/session.ts'
import { localeOf } from '../pages/reader.ts'
import { showPage } from '../pages/send-page.ts'
import { startPage } from '../pages/sign-in-page.ts'

/** The start page, where a sign-in without `returnTo` ends: who is signed in, and a link to the API reference. */
export function startRoute(app: FastifyInstance, { db, publicUrl = '' }: Services): void {
  // The provider redirects to the public address, so sign-in must begin there too, not at a name such as localhost.
  const login = `${publicUrl}/v1/auth/login`

  app.get('/', async (request, reply) => {
    const token = request.cookies.hub_session
    const session = token === undefined ? null : await findSession(db, token)
    return showPage(reply, startPage(session?.language ?? localeOf(request), session, login))
  })
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ApprovalKind, approvalKinds, isOneOf, type Locale } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import { RejectMessage } from '../../contract/messages/moves.ts'
import { ReturnTo, type Session } from '../../contract/sign-in/session.ts'
import type { PersonPrincipal } from '../../domain/principal.ts'
import { kinds } from '../../services/approvals/kinds.ts'
import { waitingFor } from '../../services/approvals/list.ts'
import type { Services } from '../../services/context.ts'
import { findSession } from '../../services/identity/session.ts'
import { idOrNull } from '../../services/validation-error.ts'
import { approvalPage, confirmPage, type Refused } from '../pages/approvals/approval-page.ts'
import type { ApprovalView } from '../pages/approvals/facts.ts'
import { failedApprovalPage, signInAgainPage } from '../pages/approvals/failed-page.ts'
import { approvalsPage } from '../pages/approvals/list-page.ts'
import { localeOf } from '../pages/reader.ts'
import { showPage } from '../pages/send-page.ts'
import { prepareError } from '../plugins/errors.ts'

/** A form has a reason of at most 1,000 characters, each of up to four bytes in three characters. */
const bodyBytes = 16 * 1_024
const url = '/approvals/:kind/:id'

/** The person of a request, and the language of their pages. */
type Reader = { principal: PersonPrincipal; locale: Locale }

/**
 * The pages on which people decide about what waits (docs/decisions/0053-approving-in-a-browser.md). Their links are no
 * credential: without a session they lead to sign-in, which returns to them. They are not in the table of operations.
 */
export function approvalRoutes(app: FastifyInstance, services: Services): void {
  const { db, publicUrl = '' } = services
  const readers = new WeakMap<FastifyRequest, Reader>()
  const loginFor = (path: string) => {
    const returnTo = ReturnTo.safeParse(path).data ?? '/approvals'
    return `${publicUrl}/v1/auth/login?returnTo=${encodeURIComponent(returnTo)}`
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: bodyBytes },
      (_request, body, done) => done(null, body),
    )
    // An error of a page is a page too.
    scope.setErrorHandler((thrown, request, reply) => {
      const { code } = prepareError(thrown, request, reply)
      const locale = readers.get(request)?.locale ?? localeOf(request)
      return showPage(reply, failedApprovalPage(locale, code))
    })
    scope.addHook('onRequest', async (request, reply) => {
      const reader = await readerOf(request, reply)
      if (reader) return void readers.set(request, reader)
      const login = loginFor(request.method === 'POST' ? pathOf(request) : request.url)
      if (request.method !== 'POST') return reply.header('cache-control', 'no-store').redirect(login, 303)
      // A redirect from a form to the identity provider would be another site's: browsers refuse it.
      reply.code(401)
      return showPage(reply, signInAgainPage(localeOf(request), login))
    })

    scope.get('/approvals', (request, reply) =>
      inTurn(request, async ({ principal, locale }) => {
        const units = await waitingFor(services, principal, placeIn(request.query))
        return showPage(reply, approvalsPage(locale, units))
      }),
    )

    scope.get(url, (request, reply) =>
      inTurn(request, async (reader) => {
        const view = await viewOf(reader, request)
        const { approve: shown } = request.query as { approve?: unknown }
        if (shown === undefined || view.outcome || view.allowed.approve !== true)
          return showPage(reply, approvalPage(reader.locale, view))
        if (shown === String(view.version)) return showPage(reply, confirmPage(reader.locale, view))
        return refuse(reader, request, reply, 'stale', { shown: versionIn(shown) })
      }),
    )

    scope.post(url, (request, reply) => inTurn(request, (reader) => decide(reader, request, reply)))
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
    const session: Session | null = caller && (await findSession(db, token))
    if (caller?.kind !== 'person' || !session) return undefined
    request.principal = caller
    return { principal: caller, locale: session.language }
  }

  function inTurn<Result>(
    request: FastifyRequest,
    work: (reader: Reader) => Promise<Result>,
  ): Promise<Result> {
    return app.inTurn(request, () => work(readers.get(request)!))
  }

  function viewOf({ principal }: Reader, request: FastifyRequest, shown?: number): Promise<ApprovalView> {
    const { kind, id } = objectOf(request)
    return kinds[kind].view(services, principal, id, shown)
  }

  /** Decides, and leads back to the page, which then shows the outcome. */
  async function decide(reader: Reader, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { kind, id } = objectOf(request)
    const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
    const version = versionIn(form.get('version'))
    const verb = form.get('decision')
    if (version === undefined || (verb !== 'approve' && verb !== 'reject'))
      throw new ServiceError('validation_error', 'The form is not one of this page.')
    const written = form.get('reason') ?? ''
    const reason = RejectMessage.shape.reason.safeParse(written.replaceAll('\r\n', '\n')).data
    if (verb === 'reject' && reason === undefined)
      return refuse(reader, request, reply, 'no_reason', { reason: written })
    try {
      if (verb === 'approve') await kinds[kind].approve(services, reader.principal, id, version)
      else await kinds[kind].reject(services, reader.principal, id, { version, reason: reason! })
    } catch (error) {
      const refused = error instanceof ServiceError ? refusals[error.code] : undefined
      if (!refused) throw error
      return refuse(reader, request, reply, refused, { shown: version, reason: written })
    }
    return reply.redirect(pathOf(request), 303)
  }

  /** Shows the page as it is now, with the reason why nothing was decided. */
  async function refuse(
    reader: Reader,
    request: FastifyRequest,
    reply: FastifyReply,
    refused: Refused,
    { shown, reason = '' }: { shown?: number | undefined; reason?: string } = {},
  ): Promise<FastifyReply> {
    const view = await viewOf(reader, request, shown)
    reply.code(statusOf[refused])
    return showPage(reply, approvalPage(reader.locale, view, { refused, reason }))
  }
}

/** The errors of a decision that the page explains, next to what it is about. */
const refusals: Partial<Record<string, Refused>> = {
  invalid_transition: 'stale',
  quota_exceeded: 'quota_exceeded',
  self_approval: 'self_approval',
  forbidden: 'forbidden',
}
const statusOf: Record<Refused, number> = {
  stale: 409,
  quota_exceeded: 409,
  self_approval: 409,
  forbidden: 403,
  no_reason: 400,
}

/** @throws ServiceError not_found for an unknown kind, or an id that none can have */
function objectOf({ params }: FastifyRequest): { kind: ApprovalKind; id: string } {
  const { kind, id: named } = params as { kind: string; id: string }
  const id = idOrNull(named)
  if (isOneOf(approvalKinds, kind) && id !== null) return { kind, id }
  throw new ServiceError('not_found', 'No such approval. Check the kind and the id.')
}

/** The path of the request, without its query. */
function pathOf({ url: path }: FastifyRequest): string {
  return path.split('?')[0]!
}

function versionIn(text: unknown): number | undefined {
  return typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

/** A place in the list of one unit; none: the beginning of all of them. */
function placeIn(query: unknown): { unitId: string; cursor: string } | undefined {
  const { unitId, cursor } = query as { unitId?: unknown; cursor?: unknown }
  return typeof unitId === 'string' && typeof cursor === 'string' ? { unitId, cursor } : undefined
}

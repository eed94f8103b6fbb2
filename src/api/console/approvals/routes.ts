import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ApprovalKind, approvalKinds, isOneOf } from '../../../contract/enums.ts'
import { type ErrorCode, errorStatus, ServiceError } from '../../../contract/errors.ts'
import { RejectMessage } from '../../../contract/messages/moves.ts'
import { idOrNull } from '../../../domain/lib/id.ts'
import type { GraphSizes } from '../../../domain/scenario/layout.ts'
import { kinds } from '../../../services/approvals/kinds.ts'
import { waitingBeside, waitingFor } from '../../../services/approvals/list.ts'
import type { Services } from '../../../services/context.ts'
import { type DrawnVersion, keptLayout } from '../../../services/layouts/kept-layout.ts'
import type { ApprovalView } from '../facts/facts.ts'
import { foreignForm, storableFormOf } from '../kit/form.ts'
import type { Page } from '../kit/page.ts'
import { searchIn, versionNamed } from '../kit/page-address.ts'
import { withRejection } from '../kit/rejection.ts'
import { type Reader, signedInPages } from '../kit/signed-in-pages.ts'
import { approvalsPage, pathOf } from './list.ts'
import { approvalPage, confirmApprovalPage, type DecisionAttempt, type Refused } from './page.ts'

const url = '/approvals/:kind/:id'

/**
 * The pages on which people decide about what waits (docs/design/notices-and-pages.md). Their links are no
 * credential.
 */
export function approvalRoutes(app: FastifyInstance, services: Services): void {
  signedInPages(app, services, 'approvals', ({ get, post }) => {
    get('/approvals', async ({ principal, locale }, request) => {
      const { q: text } = searchIn(request)
      const page = unitPageIn(request.query)
      return approvalsPage(locale, await waitingFor(services, principal, { text, page }), text)
    })

    get(url, async (reader, request, reply) => {
      const view = await viewOf(reader, request)
      const { approve: shownVersion, version: mailed } = request.query as Record<string, unknown>
      if (shownVersion === undefined || view.outcome || !view.allowed.approve.allowed)
        return linkedPage(reader, request, view, versionNamed(mailed))
      if (shownVersion === String(view.version)) return confirmApprovalPage(reader.locale, view)
      reply.code(errorStatus.invalid_transition)
      return refusedPage(reader, request, 'stale', { version: versionNamed(shownVersion) })
    })

    post(url, decide)
  })

  /**
   * The page to which a mail about a version leads, which asks once: the second tap decides. Of a later version it says what
   * has changed since, and asks as the list does.
   */
  async function linkedPage(
    reader: Reader,
    request: FastifyRequest,
    view: ApprovalView,
    mailed: number | undefined,
  ): Promise<Page> {
    const isNewer = mailed !== undefined && mailed < view.version && !view.outcome
    const now = isNewer ? await viewOf(reader, request, mailed) : view
    return pageOf(reader, now, { asksOnce: mailed === view.version })
  }

  function layoutOf(version: DrawnVersion, sizes: GraphSizes) {
    return keptLayout(services, version, sizes)
  }

  function viewOf({ principal }: Reader, request: FastifyRequest, version?: number): Promise<ApprovalView> {
    const { kind, id } = objectOf(request)
    return kinds[kind].view(services, principal, id, version)
  }

  /** Decides, and leads back to the page, which then shows the outcome. */
  async function decide(
    reader: Reader,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Page | FastifyReply> {
    const { kind, id } = objectOf(request)
    const form = storableFormOf(request)
    const version = versionNamed(form.get('version'))
    const verb = form.get('decision')
    if (version === undefined || (verb !== 'approve' && verb !== 'reject')) throw foreignForm()
    const reasonText = form.get('reason') ?? ''
    const reason = RejectMessage.shape.reason.safeParse(reasonText.replaceAll('\r\n', '\n')).data
    if (verb === 'reject' && reason === undefined) {
      reply.code(errorStatus.validation_error)
      return refusedPage(reader, request, 'no_reason', { reason: reasonText })
    }
    const press = async () => {
      if (verb === 'approve') await kinds[kind].approve(services, reader.principal, id, version)
      else await kinds[kind].reject(services, reader.principal, id, { version, reason: reason! })
      return reply.redirect(pathOf({ kind, id }), 303)
    }
    return withRejection(
      reply,
      ({ code }) => refusals[code] ?? null,
      press,
      (refused) => refusedPage(reader, request, refused, { version, reason: reasonText }),
    )
  }

  /** Shows the page as it is now, with the reason why nothing was decided. */
  async function refusedPage(
    reader: Reader,
    request: FastifyRequest,
    refused: Refused,
    { version, reason = '' }: { version?: number | undefined; reason?: string } = {},
  ): Promise<Page> {
    const view = await viewOf(reader, request, version)
    return pageOf(reader, view, { refused, reason })
  }

  async function pageOf(
    { principal, locale }: Reader,
    view: ApprovalView,
    attempt?: DecisionAttempt,
  ): Promise<Page> {
    const queue = await waitingBeside(services, principal, view.unit.id)
    return approvalPage(locale, view, { layoutOf, queue }, attempt)
  }
}

/** The errors of a decision that the page explains, next to what it is about. */
const refusals: Partial<Record<ErrorCode, Refused>> = {
  invalid_transition: 'stale',
  quota_exceeded: 'quota_exceeded',
  self_approval: 'self_approval',
  forbidden: 'forbidden',
}

/** @throws ServiceError not_found for an unknown kind, or an id that none can have */
function objectOf({ params }: FastifyRequest): { kind: ApprovalKind; id: string } {
  const { kind, id: named } = params as { kind: string; id: string }
  const id = idOrNull(named)
  if (isOneOf(approvalKinds, kind) && id !== null) return { kind, id }
  throw new ServiceError('not_found', 'No such approval. Check the kind and the id.')
}

/** A later page of the list of one unit; null: the beginning of all of them. */
function unitPageIn(query: unknown): { unitId: string; skip: number } | null {
  const { unitId, skip } = query as { unitId?: unknown; skip?: unknown }
  const after = versionNamed(skip)
  return typeof unitId === 'string' && after !== undefined ? { unitId, skip: after } : null
}

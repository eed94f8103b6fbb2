import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, errorStatus, ServiceError } from '../../../contract/errors.ts'
import type { Violation } from '../../../domain/audience/audience.ts'
import { localise } from '../../../domain/content/localise.ts'
import { idOrNull } from '../../../domain/lib/id.ts'
import { isStorableText } from '../../../domain/lib/storable-text.ts'
import type { Services } from '../../../services/context.ts'
import { answerInHandoff } from '../../../services/handoffs/answer.ts'
import { closeHandoff } from '../../../services/handoffs/close.ts'
import { openHandoffsFor } from '../../../services/handoffs/open.ts'
import { viewHandoff } from '../../../services/handoffs/view.ts'
import { foreignForm, formOf } from '../kit/form.ts'
import type { Page } from '../kit/page.ts'
import { idOf, pathOf } from '../kit/page-address.ts'
import { withRejection } from '../kit/rejection.ts'
import { pageIn, type Reader, signedInPages } from '../kit/signed-in-pages.ts'
import { handoffsPage } from './list.ts'
import { type Draft, handoffPage } from './page.ts'
import type { Unsent } from './words.ts'

const url = '/handoffs/:id'

/**
 * The pages on which people of a unit read and answer its handoffs (docs/design/handoffs.md). Their
 * links are no credential.
 */
export function handoffPageRoutes(app: FastifyInstance, services: Services): void {
  signedInPages(app, services, 'handoffs', ({ get, post }) => {
    get('/handoffs', async ({ principal, locale }, request) => {
      const units = await openHandoffsFor(services, principal, pageIn(request.query))
      return handoffsPage(locale, units)
    })

    get(url, (reader, request) => show(reader, request))

    post(url, async (reader, request, reply) => {
      const form = formOf(request)
      const toNewest = () => reply.redirect(`${pathOf(request)}#newest`, 303)
      if (form.get('act') !== 'close') return answer(reader, request, reply, toNewest)
      await close(reader, request)
      return toNewest()
    })
  })

  async function show({ principal, locale }: Reader, request: FastifyRequest, draft?: Draft): Promise<Page> {
    const view = await viewHandoff(services, principal, idOf(request))
    // Of what ended while it was written, the page says how.
    const ended = draft && view.handoff.closedAt !== null ? { ...draft, why: 'closed' as const } : draft
    return handoffPage(locale, view, randomUUID(), ended)
  }

  /** Closes the handoff. One that is closed already stays so: the page then shows how it ended. */
  async function close({ principal }: Reader, request: FastifyRequest): Promise<void> {
    await closeHandoff(services, principal, idOf(request)).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'invalid_transition') return
      throw error
    })
  }

  /** Stores the reply of a form, and leads to it; or the page with what was written, if it is not stored. */
  async function answer(
    reader: Reader,
    request: FastifyRequest,
    reply: FastifyReply,
    toNewest: () => FastifyReply,
  ): Promise<Page | FastifyReply> {
    const form = formOf(request)
    const key = idOrNull(form.get('key'))
    if (form.get('act') !== 'reply' || key === null) throw foreignForm()
    const text = (form.get('text') ?? '').replaceAll('\r\n', '\n').trim()
    const unsent = (draft: Draft, code: ErrorCode) => {
      reply.code(errorStatus[code])
      return show(reader, request, draft)
    }
    if (text === '') return unsent({ why: 'empty', text }, 'validation_error')
    if (!isStorableText(text)) return unsent({ why: 'unfit', text: '' }, 'validation_error')
    const press = async () => {
      const newestId = idOrNull(form.get('seen'))
      const stored = await answerInHandoff(services, reader.principal, idOf(request), {
        text,
        key,
        seen: newestId,
      })
      return stored ? toNewest() : unsent({ why: 'answered', text }, 'invalid_transition')
    }
    const explains = ({ code, details }: ServiceError): Draft | null => {
      const { violations = [] } = { ...(details as { violations?: Violation[] }) }
      const because = violations.map(({ message }) => localise(reader.locale, message))
      const why = refusals[code]
      return why ? { why, text, because } : null
    }
    return withRejection(reply, explains, press, (draft) => show(reader, request, draft))
  }
}

/** The errors of a reply that the page explains. */
const refusals: Partial<Record<ErrorCode, Unsent>> = {
  invalid_transition: 'unbound',
  idempotency_mismatch: 'repeated',
  content_violation: 'unfit',
}

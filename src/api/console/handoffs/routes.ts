import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../contract/errors.ts'
import type { Violation } from '../../../domain/audience/audience.ts'
import { localise } from '../../../domain/content/localise.ts'
import { idOrNull } from '../../../domain/lib/id.ts'
import { isStorableText } from '../../../domain/lib/storable-text.ts'
import type { Services } from '../../../services/context.ts'
import { answerInHandoff } from '../../../services/handoffs/answer.ts'
import { closeHandoff } from '../../../services/handoffs/close.ts'
import { openHandoffsFor } from '../../../services/handoffs/open.ts'
import { viewHandoff } from '../../../services/handoffs/view.ts'
import type { Page } from '../kit/page.ts'
import { idIn } from '../kit/page-address.ts'
import { formOf, pageIn, pathOf, type Reader, signedInPages } from '../kit/signed-in-pages.ts'
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
      if (form.get('act') === 'close') await close(reader, request)
      else {
        const draft = await answer(reader, request, form)
        if (draft) {
          reply.code(statusOf[draft.why])
          return show(reader, request, draft)
        }
      }
      return reply.redirect(`${pathOf(request)}#newest`, 303)
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

  /** Stores the reply of a form; what was written if it is not stored. */
  async function answer(
    { principal, locale }: Reader,
    request: FastifyRequest,
    form: URLSearchParams,
  ): Promise<Draft | null> {
    const key = idOrNull(form.get('key'))
    if (form.get('act') !== 'reply' || key === null)
      throw new ServiceError('validation_error', 'The form is not one of this page.')
    const text = (form.get('text') ?? '').replaceAll('\r\n', '\n').trim()
    if (text === '') return { why: 'empty', text }
    if (!isStorableText(text)) return { why: 'unfit', text: '' }
    try {
      const seen = idOrNull(form.get('seen'))
      const stored = await answerInHandoff(services, principal, idOf(request), { text, key, seen })
      return stored ? null : { why: 'answered', text }
    } catch (error) {
      const why = error instanceof ServiceError ? refusals[error.code] : undefined
      if (!why) throw error
      const { violations = [] } = { ...((error as ServiceError).details as { violations?: Violation[] }) }
      return { why, text, because: violations.map(({ message }) => localise(locale, message)) }
    }
  }
}

/** The errors of a reply that the page explains. */
const refusals: Partial<Record<string, Unsent>> = {
  invalid_transition: 'unbound',
  idempotency_mismatch: 'repeated',
  content_violation: 'unfit',
}
const statusOf: Record<Unsent, number> = {
  closed: 409,
  unbound: 409,
  answered: 409,
  repeated: 409,
  empty: 400,
  unfit: 400,
}

const idOf = (request: FastifyRequest) => idIn(request, 'No such handoff. Check the id.')

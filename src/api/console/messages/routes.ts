import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { keysOf } from '../../../contract/enums.ts'
import { errorStatus, ServiceError } from '../../../contract/errors.ts'
import { MessageListQuery } from '../../../contract/messages/list.ts'
import type { Issue } from '../../../contract/rules.ts'
import { listMembers } from '../../../db/queries/identity/unit.ts'
import type { Violation } from '../../../domain/audience/audience.ts'
import { localise } from '../../../domain/content/localise.ts'
import { optionsOf } from '../../../domain/content/options.ts'
import { idOrNull } from '../../../domain/lib/id.ts'
import { readsOwnFirst, roleRefusal, traceRefusal } from '../../../domain/rights/permission.ts'
import type { PersonPrincipal } from '../../../domain/rights/principal.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { nameOrganisers } from '../../../services/answers/organisers.ts'
import { readsAnswers } from '../../../services/answers/readers.ts'
import { type MessageView, messageKind } from '../../../services/approvals/messages.ts'
import { listCompositions } from '../../../services/compositions/compositions.ts'
import type { Services } from '../../../services/context.ts'
import { copyMessage } from '../../../services/messages/copy.ts'
import { previewMessage } from '../../../services/messages/preview.ts'
import { listMessages } from '../../../services/messages/read.ts'
import { submitMessage } from '../../../services/messages/submit.ts'
import { testSendEverywhere } from '../../../services/messages/test-send.ts'
import {
  cancelMessage,
  pauseMessage,
  resumeMessage,
  retryMessage,
  stopMessage,
  withdrawMessage,
} from '../../../services/messages/transitions.ts'
import { readMessageTrace } from '../../../services/trace/read.ts'
import { organiserChoice, organisersIn } from '../answers/organisers.ts'
import { writeOnDraft } from '../compose/begin.ts'
import { composeWords } from '../compose/words.ts'
import { beginForm } from '../kit/begin-form.ts'
import { foreignForm, storableFormOf } from '../kit/form.ts'
import type { Page } from '../kit/page.ts'
import { filterIn, idOf, listQuery, searchIn } from '../kit/page-address.ts'
import { refusalWords } from '../kit/refusals.ts'
import { withRejection } from '../kit/rejection.ts'
import { ruleText } from '../kit/rules.ts'
import { type Reader, signedInPages } from '../kit/signed-in-pages.ts'
import { unitIn } from '../kit/unit-in.ts'
import { previewRoute } from '../preview/route.ts'
import { type Act, acts, actsFor } from './acts.ts'
import { type MessageQuery, messagesPage, stateGroups, whoseValues } from './list.ts'
import { confirmActPage, type Done, type MessageRights, messagePage, type PersonTrace } from './page.ts'

const url = '/messages/:id'

/** The pages on which people of a unit see its messages, and move them (docs/design/console.md). */
export function messagePageRoutes(app: FastifyInstance, services: Services): void {
  signedInPages(app, services, 'messages', ({ get, post }) => {
    get('/messages', list)

    get(url, async (reader, request) => {
      const view = await viewOf(reader, request)
      const rights = await rightsOn(reader, view)
      const { act, done } = request.query as { act?: unknown; done?: unknown }
      const wanted = actsFor(view.detail, rights.copies).find((one) => one === act)
      if (wanted)
        return confirmActPage(reader.locale, view, wanted, {
          key: randomUUID(),
          inputs: wanted === 'submit' ? await organiserInputs(reader, view) : html``,
        })
      // Offered a moment ago, and no longer possible.
      if (act !== undefined) return messagePage(reader.locale, view, rights, { done: { refused: 'stale' } })
      const what = [...acts, 'organise' as const].find((one) => one === done)
      return messagePage(reader.locale, view, rights, { done: what && { act: what } })
    })

    post(url, async (reader, request, reply) => {
      const form = storableFormOf(request)
      const view = await viewOf(reader, request)
      if (form.get('act') === 'trace') return tracePerson(reader, view, form.get('uid') ?? '')
      const organisers = organisersIn(form)
      if (form.get('act') === 'organise') return organise(reader, view, organisers, reply)
      const act = acts.find((one) => one === form.get('act'))
      const key = idOrNull(form.get('key'))
      if (!act || key === null) throw foreignForm()
      if (form.get('version') !== String(view.version)) {
        reply.code(errorStatus.invalid_transition)
        return refusedPage(reader, view, { refused: 'stale' })
      }
      const press = async () => {
        const to = await perform(reader, view, act, { key, organisers })
        return reply.redirect(to, 303)
      }
      const explains = (error: ServiceError) => becauseOf(reader, error)
      return withRejection(reply, explains, press, async (because) =>
        refusedPage(reader, await viewOf(reader, request), { refused: 'refused', because }),
      )
    })

    previewRoute(get, url, services, ({ principal }, request, variant) =>
      previewMessage(services, principal, idOf(request), variant),
    )
  })

  async function list({ principal, session, locale }: Reader, request: FastifyRequest): Promise<Page> {
    const unit = await unitIn(services.db, session, request)
    const search = searchIn(request)
    const group = filterIn(request, 'state', keysOf(stateGroups))
    const query = listQuery(MessageListQuery, unit, { ...search, state: group && [...stateGroups[group]] })
    const edits = roleRefusal(principal, 'create', unit.id) === null
    const whose =
      filterIn(request, 'whose', whoseValues) ?? (readsOwnFirst(principal, unit.id) ? 'mine' : 'all')
    const items = await listMessages(services, principal, query, { mine: whose === 'mine' })
    const filter = { ...search, group, whose }
    const writing = edits && search.cursor === null ? await writingIn(principal, unit.id, filter) : []
    const begin = beginForm(locale, session, unit, [{ type: null, text: composeWords[locale].begin }])
    const drafted = new Set(writing.map(({ messageId }) => messageId))
    const others = items.items.filter(({ id }) => !drafted.has(id))
    return messagesPage(locale, { unit, begin }, filter, { ...items, items: others, writing })
  }

  /** What is being written and no message yet: among the drafts, and among all. */
  async function writingIn(principal: PersonPrincipal, unitId: string, { q, group, whose }: MessageQuery) {
    if (group !== null && group !== 'draft') return []
    const compositions = await listCompositions(services, principal, unitId)
    const fits = (title: string | null) => (title ?? '').toLowerCase().includes(q.toLowerCase())
    return compositions.filter(({ title, isAuthor }) => (whose === 'all' || isAuthor) && fits(title))
  }

  function viewOf({ principal }: Reader, request: FastifyRequest): Promise<MessageView> {
    return messageKind.view(services, principal, idOf(request))
  }

  async function tracePerson(reader: Reader, view: MessageView, uid: string): Promise<Page> {
    const personTrace: PersonTrace = { uid: uid.trim(), trace: null }
    if (personTrace.uid !== '')
      personTrace.trace = await readMessageTrace(services, reader.principal, view.id, {
        uid: personTrace.uid,
      }).catch((error: unknown) => {
        if (error instanceof ServiceError && error.code === 'not_found') return null
        throw error
      })
    return messagePage(reader.locale, view, await rightsOn(reader, view), { personTrace })
  }

  /** Does it, and returns the address of what to show: what was taken back is written on. */
  async function perform(
    { principal }: Reader,
    { id, version, unit }: MessageView,
    act: Act,
    { key, organisers }: { key: string; organisers: string[] },
  ): Promise<string> {
    if (act === 'copy') return doneAt((await copyMessage(services, principal, id, key)).id, act)
    if (act === 'withdraw') {
      await withdrawMessage(services, principal, id, { version })
      if (roleRefusal(principal, 'create', unit.id) === null)
        return `/compose/${await writeOnDraft(services, principal, id)}`
    } else if (act === 'submit') await submitMessage(services, principal, id, { organisers })
    else await performing[act](services, principal, id)
    return doneAt(id, act)
  }

  async function organise(
    reader: Reader,
    view: MessageView,
    organisers: string[],
    reply: FastifyReply,
  ): Promise<Page | FastifyReply> {
    const press = async () => {
      await nameOrganisers(services, reader.principal, { kind: 'message', id: view.id }, { organisers })
      return reply.redirect(`/messages/${view.id}?done=organise`, 303)
    }
    return withRejection(
      reply,
      (error) => becauseOf(reader, error),
      press,
      (because) => refusedPage(reader, view, { refused: 'refused', because }),
    )
  }

  /** Who is to read the answers: of a message that can be answered. */
  async function organiserInputs({ locale }: Reader, { detail, unit }: MessageView): Promise<Markup> {
    if (optionsOf(detail.content?.messages ?? []).length === 0) return html``
    return organiserChoice(locale, await listMembers(services.db, unit.id), detail.organisers)
  }

  async function refusedPage(reader: Reader, view: MessageView, done: Done): Promise<Page> {
    return messagePage(reader.locale, view, await rightsOn(reader, view), { done })
  }

  async function rightsOn({ principal }: Reader, { id, unit }: MessageView): Promise<MessageRights> {
    const names = roleRefusal(principal, 'approve', unit.id) === null
    return {
      copies: roleRefusal(principal, 'create', unit.id) === null,
      traces: traceRefusal(principal, unit.id, unit.kind) === null,
      reads: await readsAnswers(services.db, principal, { kind: 'message', id, unitId: unit.id }),
      members: names ? await listMembers(services.db, unit.id) : null,
    }
  }
}

/** The page of a message, which says what was done. */
function doneAt(id: string, act: Act): string {
  return `/messages/${id}?done=${act}`
}

/** What does each act that needs nothing else. */
const performing: Record<
  Exclude<Act, 'copy' | 'submit' | 'withdraw'>,
  (services: Services, principal: PersonPrincipal, id: string) => Promise<unknown>
> = {
  resume: resumeMessage,
  retry: retryMessage,
  skip: (services, principal, id) => retryMessage(services, principal, id, { skip: true }),
  pause: pauseMessage,
  cancel: cancelMessage,
  stop: stopMessage,
  test: testSendEverywhere,
}

/** The sentences of what the content or the request breaks, or that of the error; of a state, the page itself says it. */
function becauseOf({ locale }: Reader, { code, details }: ServiceError): string {
  const { violations = [], issues = [] } = { ...(details as { violations?: Violation[]; issues?: Issue[] }) }
  const broken = [
    ...violations.map(({ message }) => localise(locale, message)),
    ...issues.map((issue) => ruleText(locale, issue)),
  ].join(' ')
  return broken || (code === 'invalid_transition' ? '' : refusalWords[locale][code])
}

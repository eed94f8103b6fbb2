import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { keysOf } from '../../../contract/enums.ts'
import { errorStatus, ServiceError } from '../../../contract/errors.ts'
import { MessageListQuery } from '../../../contract/messages/list.ts'
import type { Issue } from '../../../contract/rules.ts'
import type { Violation } from '../../../domain/audience/audience.ts'
import { localise } from '../../../domain/content/localise.ts'
import { idOrNull } from '../../../domain/lib/id.ts'
import { roleRefusal, traceRefusal } from '../../../domain/rights/permission.ts'
import type { PersonPrincipal } from '../../../domain/rights/principal.ts'
import { type MessageView, messageKind } from '../../../services/approvals/messages.ts'
import type { Services } from '../../../services/context.ts'
import { copyMessage } from '../../../services/messages/copy.ts'
import { previewMessage } from '../../../services/messages/preview.ts'
import { listMessages } from '../../../services/messages/read.ts'
import { submitMessage } from '../../../services/messages/submit.ts'
import { testSend } from '../../../services/messages/test-send.ts'
import {
  cancelMessage,
  pauseMessage,
  resumeMessage,
  retryMessage,
  stopMessage,
} from '../../../services/messages/transitions.ts'
import { readMessageTrace } from '../../../services/trace/read.ts'
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
import { messagesPage, stateGroups } from './list.ts'
import { confirmActPage, type Done, type MessageRights, messagePage, type PersonTrace } from './page.ts'

const url = '/messages/:id'

/** The pages on which people of a unit see its messages, and move them (docs/design/console.md). */
export function messagePageRoutes(app: FastifyInstance, services: Services): void {
  signedInPages(app, services, 'messages', ({ get, post }) => {
    get('/messages', list)

    get(url, async (reader, request) => {
      const view = await viewOf(reader, request)
      const rights = rightsOn(reader, view)
      const { act, done } = request.query as { act?: unknown; done?: unknown }
      const wanted = actsFor(view.detail, rights.copies).find((one) => one === act)
      if (wanted) return confirmActPage(reader.locale, view, wanted, randomUUID())
      // Offered a moment ago, and no longer possible.
      if (act !== undefined) return messagePage(reader.locale, view, rights, { done: { refused: 'stale' } })
      const what = acts.find((one) => one === done)
      return messagePage(reader.locale, view, rights, { done: what && { act: what } })
    })

    post(url, async (reader, request, reply) => {
      const form = storableFormOf(request)
      const view = await viewOf(reader, request)
      if (form.get('act') === 'trace') return tracePerson(reader, view, form.get('uid') ?? '')
      const act = acts.find((one) => one === form.get('act'))
      const key = idOrNull(form.get('key'))
      if (!act || key === null) throw foreignForm()
      if (form.get('version') !== String(view.version)) {
        reply.code(errorStatus.invalid_transition)
        return refusedPage(reader, view, { refused: 'stale' })
      }
      const press = async () => {
        const to = await perform(reader, view, act, key)
        return reply.redirect(`/messages/${to}?done=${act}`, 303)
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
    const items = await listMessages(services, principal, query)
    const begin = beginForm(locale, session, unit, [{ type: null, text: composeWords[locale].begin }])
    return messagesPage(locale, { unit, begin }, { ...search, group }, items)
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
    return messagePage(reader.locale, view, rightsOn(reader, view), { personTrace })
  }

  /** Does it, and returns the id of the message to show. */
  async function perform({ principal }: Reader, { id }: MessageView, act: Act, key: string): Promise<string> {
    if (act === 'copy') return (await copyMessage(services, principal, id, key)).id
    await performing[act](services, principal, id)
    return id
  }

  function refusedPage(reader: Reader, view: MessageView, done: Done): Page {
    return messagePage(reader.locale, view, rightsOn(reader, view), { done })
  }
}

/** What does each act; a copy is shown in place of its original. */
const performing: Record<
  Exclude<Act, 'copy'>,
  (services: Services, principal: PersonPrincipal, id: string) => Promise<unknown>
> = {
  submit: submitMessage,
  resume: resumeMessage,
  retry: retryMessage,
  skip: (services, principal, id) => retryMessage(services, principal, id, { skip: true }),
  pause: pauseMessage,
  cancel: cancelMessage,
  stop: stopMessage,
  test: (services, principal, id) => testSend(services, principal, id, {}),
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

function rightsOn({ principal }: Reader, { unit }: MessageView): MessageRights {
  return {
    copies: roleRefusal(principal, 'create', unit.id) === null,
    traces: traceRefusal(principal, unit.id, unit.kind) === null,
  }
}

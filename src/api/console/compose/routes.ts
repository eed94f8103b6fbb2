import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type CompositionKind, isOneOf, patternTypes } from '../../../contract/enums.ts'
import { ServiceError } from '../../../contract/errors.ts'
import type { BegunComposition, Composition } from '../../../db/queries/composition/composition.ts'
import { findUnit, type Unit } from '../../../db/queries/identity/unit.ts'
import { idOrNull } from '../../../domain/lib/id.ts'
import type { PersonPrincipal } from '../../../domain/rights/principal.ts'
import {
  discardComposition,
  findMade,
  readComposition,
  saveComposition,
  startComposition,
} from '../../../services/compositions/compositions.ts'
import type { Services } from '../../../services/context.ts'
import { designToChange, readDesign } from '../../../services/patterns/design.ts'
import { getPattern } from '../../../services/patterns/patterns.ts'
import { getTemplate } from '../../../services/templates/templates.ts'
import { orNotFound } from '../../../services/unit-access.ts'
import { foreignForm, formOf, storableFormOf } from '../kit/form.ts'
import { deskPolicy, type Page, renderPart, showPage } from '../kit/page.ts'
import { idOf } from '../kit/page-address.ts'
import { withRejection } from '../kit/rejection.ts'
import { type Handler, type Reader, signedInPages } from '../kit/signed-in-pages.ts'
import { unitIn } from '../kit/unit-in.ts'
import { previewRoute } from '../preview/route.ts'
import { writeOnDraft } from './begin.ts'
import { type Composer, type DraftForm, type FormNotices, formParts } from './composer.ts'
import { discardPage } from './discard-page.ts'
import { changed, changeOf } from './form/acts.ts'
import type { Fields } from './form/fields.ts'
import {
  copyOfPattern,
  invitationTo,
  newMessage,
  newPattern,
  newTemplate,
  nextPatternOf,
  nextVersionOf,
} from './form/first-forms.ts'
import { newKey, withKeys } from './form/keys.ts'
import { refusalText } from './issues.ts'
import { messageComposer } from './message.ts'
import { patternComposer } from './pattern.ts'
import { templateComposer } from './template.ts'
import { testQuery, testResultsIn } from './test-result.ts'

const url = '/compose/:id'
/** Fields of the page that are no part of what is written. `press`: names a press, so that it makes the same when repeated. */
const ofPage = ['version', 'act', 'press', 'person']

/** The pages on which people of a unit write messages and patterns (docs/design/console.md). */
export function composePageRoutes(app: FastifyInstance, services: Services): void {
  const composers: Record<CompositionKind, Composer> = {
    message: messageComposer(services),
    pattern: patternComposer(services),
    template: templateComposer(services),
  }

  signedInPages(app, services, 'compose', ({ get, post }) => {
    // What is being written is a tab of the list of messages.
    get('/compose', async ({ session }, request, reply) => {
      const { id: unit } = await unitIn(services.db, session, request)
      return reply.redirect(`/messages?${new URLSearchParams({ unit, state: 'draft' })}`, 303)
    })

    post('/compose', async ({ principal }, request, reply) => {
      const form = formOf(request)
      const draftId = idOrNull(form.get('message'))
      const id = draftId
        ? await writeOnDraft(services, principal, draftId)
        : await begin(principal, await initialForm(principal, form))
      return reply.redirect(`/compose/${id}`, 303)
    })

    const showForm: Handler = async (reader, request, reply) => {
      const stored = await readComposition(services, reader.principal, idOf(request))
      const { act, tested } = request.query as { act?: unknown; tested?: unknown }
      if (act === 'discard') return discardPage(reader.locale, await unitOf(stored), stored)
      const asks = shownIn(request)
      const page = await pageOf(reader, await draftOf(stored), { tested: testResultsIn(tested), ...asks })
      return asks.part === 'page' ? page : partOf(reply, page)
    }
    get(url, orMade(showForm))

    post(url, orMade(saveForm))

    const getOrMade = (path: string, handler: Handler) => get(path, orMade(handler))
    previewRoute(getOrMade, url, services, async (reader, request, variant) => {
      const stored = await readComposition(services, reader.principal, idOf(request))
      const { preview: draw } = composers[stored.kind]
      return (await draw?.(reader, await draftOf(stored), variant)) ?? null
    })
  })

  /**
   * A page of what is being written, or what leads to what was made of it: whoever presses again, or comes back to the
   * page, has not lost what they wrote.
   */
  function orMade(handler: Handler): Handler {
    return async (reader, request, reply) => {
      try {
        return await handler(reader, request, reply)
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
        const submission = await findMade(services, reader.principal, idOf(request))
        if (!submission) throw error
        return reply.redirect(composers[submission.kind].addressOf(submission.submittedId), 303)
      }
    }
  }

  async function unitOf({ unitId }: Pick<Composition, 'unitId'>): Promise<Unit> {
    return orNotFound(await findUnit(services.db, unitId), 'unit')
  }

  async function draftOf(composition: Composition): Promise<DraftForm> {
    return { composition, unit: await unitOf(composition) }
  }

  function begin(principal: PersonPrincipal, begun: Begun): Promise<string> {
    return startComposition(services, principal, { ...begun, form: withKeys(begun.form, newKey()) })
  }

  /** What the writing begins with: what is there already, an invitation to a pattern, or something new. */
  async function initialForm(principal: PersonPrincipal, form: URLSearchParams): Promise<Begun> {
    const ids = ['unit', 'pattern', 'template', 'change', 'copy'].map((name) => idOrNull(form.get(name)))
    const [unitId, patternId, templateId, changedId, copiedId] = ids
    const none = { messageId: null, templateId: null, patternId: null }
    if (patternId) {
      const pattern = await getPattern(services, principal, patternId)
      const { unitId, scenarioId: tells } = pattern
      return { ...none, unitId, kind: 'message' as const, tells, form: invitationTo(pattern) }
    }
    if (changedId) {
      const designed = await designToChange(services, principal, changedId)
      const { unitId } = designed.pattern
      const fields = nextPatternOf(designed, (await unitOf({ unitId })).timeZone)
      return { ...none, unitId, kind: 'pattern' as const, patternId: changedId, form: fields }
    }
    if (copiedId) {
      const { pattern, design } = await readDesign(services, principal, copiedId)
      const { unitId, scenarioId: tells } = pattern
      const fields = copyOfPattern(design, (await unitOf({ unitId })).timeZone, Date.now())
      return { ...none, unitId, kind: 'pattern' as const, tells, form: fields }
    }
    if (templateId) {
      const { unitId, ...newest } = await getTemplate(services, principal, templateId)
      const fields = nextVersionOf({ ...newest, unitId })
      return { ...none, unitId, kind: 'template' as const, templateId, form: fields }
    }
    if (!unitId) throw foreignForm()
    const type = patternTypes.find((one) => one === form.get('type'))
    if (type) return { ...none, unitId, kind: 'pattern' as const, form: newPattern(type) }
    return form.get('type') === 'template'
      ? { ...none, unitId, kind: 'template' as const, form: newTemplate }
      : { ...none, unitId, kind: 'message' as const, form: newMessage }
  }

  /** Saves what was written, whatever else the button asks for. */
  async function saveForm(
    reader: Reader,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Page | FastifyReply> {
    const { principal } = reader
    const id = idOf(request)
    const form = storableFormOf(request)
    const act = form.get('act') ?? 'check'
    if (act === 'discarded') {
      await discardComposition(services, principal, id)
      return reply.redirect('/messages?state=draft', 303)
    }
    assertSamePerson(form, principal)
    const input: Fields = [...form].filter(([name]) => !ofPage.includes(name))
    const change = changeOf(act)
    const fields = withKeys(change ? changed(input, change) : input, newKey(form.get('press')))
    const version = Number(form.get('version'))
    const { stale, stored } = await saveComposition(services, principal, id, { version, form: fields })
    const draft = await draftOf(stored)
    const asks = shownIn(request)
    if (stale) {
      reply.code(409)
      const page = await pageOf(
        reader,
        { ...draft, composition: { ...stored, form: fields } },
        { ...asks, theirs: stored },
      )
      return asks.part === 'page' ? page : partOf(reply, page)
    }
    if (asks.part !== 'page') return partOf(reply, await pageOf(reader, draft, asks))
    if (act === 'submit' || act === 'test') return submitOrTest(reader, draft, act, reply)
    return reply.redirect(`/compose/${id}${act === 'check' ? '?checked#check' : ''}`, 303)
  }

  /** Answers the script, which has the rest of the page. */
  function partOf(reply: FastifyReply, page: Page): FastifyReply {
    return showPage(reply, renderPart(page), deskPolicy)
  }

  /** Makes of it what it is to be, or sends it to its author. */
  async function submitOrTest(
    reader: Reader,
    draft: DraftForm,
    act: 'submit' | 'test',
    reply: FastifyReply,
  ): Promise<Page | FastifyReply> {
    const { id } = draft.composition
    const perform = { submit, test: sendTest }[act]
    const press = async () => {
      const address = await perform(reader, draft)
      return address ? reply.redirect(address, 303) : pageOf(reader, draft, { checked: true })
    }
    const explains = (error: ServiceError) => refusalText(reader.locale, error)
    return withRejection(reply, explains, press, async (refused) => {
      const composition = await readComposition(services, reader.principal, id)
      return pageOf(reader, { ...draft, composition }, { refused })
    })
  }

  /** Makes of it what it is to be. Returns the address of what was made; null: something is missing still. */
  async function submit(reader: Reader, draft: DraftForm): Promise<string | null> {
    const composer = composers[draft.composition.kind]
    const madeId = await composer.submit(reader, draft)
    return madeId === null ? null : composer.addressOf(madeId)
  }

  /** Sends it to its author. Returns the address of the page that says so; null: something is missing still. */
  async function sendTest(reader: Reader, draft: DraftForm): Promise<string | null> {
    const { id, kind } = draft.composition
    const { test } = composers[kind]
    if (!test)
      throw new ServiceError(
        'validation_error',
        'Only a message is sent to its author. Create this one first.',
      )
    const results = await test(reader, draft)
    return results && `/compose/${id}?${testQuery(results)}`
  }

  function pageOf(reader: Reader, draft: DraftForm, notices: Partial<FormNotices> = {}): Promise<Page> {
    const { page } = composers[draft.composition.kind]
    return page(reader, draft, { ...silence, ...notices })
  }
}

/** What is begun. `tells`: the scenario whose words it begins with. */
type Begun = BegunComposition & { tells?: string }

const silence: FormNotices = { theirs: null, refused: null, tested: [], part: 'page', checked: false }

/** What a request asks for: the page, or what the script shows of it; and whether to say what is wrong. */
function shownIn({ query }: FastifyRequest): Pick<FormNotices, 'part' | 'checked'> {
  const { part, checked } = query as { part?: unknown; checked?: unknown }
  return { part: isOneOf(formParts, part) ? part : 'page', checked: checked !== undefined }
}

/**
 * Checks that whoever saves is the one who opened the form: in the same browser, somebody else may have signed in since.
 * @throws ServiceError unauthenticated
 */
function assertSamePerson(form: URLSearchParams, { personId }: PersonPrincipal): void {
  const person = form.get('person')
  if (person === null || person === personId) return
  throw new ServiceError('unauthenticated', 'Somebody else has signed in since. Open the form again.')
}

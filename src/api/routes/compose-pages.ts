import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChosenDimension } from '../../contract/audience-values.ts'
import { channels, isOneOf, type Locale, locales } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { CreateMessage } from '../../contract/messages/create.ts'
import { MessageListQuery } from '../../contract/messages/list.ts'
import { findCategory } from '../../db/queries/catalogue/category.ts'
import type { Composition } from '../../db/queries/composition/composition.ts'
import { findUnit, type Unit } from '../../db/queries/identity/unit.ts'
import { localise } from '../../domain/content/localise.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import type { PersonPrincipal } from '../../domain/rights/principal.ts'
import { listAudienceValues } from '../../services/audience-values.ts'
import { listCategories } from '../../services/catalogue/categories.ts'
import { listTopics } from '../../services/catalogue/topics.ts'
import {
  discardComposition,
  listCompositions,
  readComposition,
  saveComposition,
  startComposition,
} from '../../services/compositions/compositions.ts'
import { readDraft } from '../../services/compositions/draft.ts'
import { submitComposition, testComposition } from '../../services/compositions/submit.ts'
import type { Services } from '../../services/context.ts'
import { picturesOf } from '../../services/media/pictures-in.ts'
import { listMessages } from '../../services/messages/read.ts'
import { dryRunUnsaved, previewUnsaved } from '../../services/messages/unsaved.ts'
import { getTemplate, listTemplates } from '../../services/templates/templates.ts'
import { orNotFound } from '../../services/unit-access.ts'
import { changed, changeOf } from '../compose/acts.ts'
import { contentField, describedBy, type FieldIssue, issueAt, searchFor, writtenOf } from '../compose/body.ts'
import type { Fields } from '../compose/fields.ts'
import type { Check } from '../pages/compose/check.ts'
import { composePage } from '../pages/compose/compose-page.ts'
import { valueIn } from '../pages/compose/inputs.ts'
import { compositionsPage, discardPage } from '../pages/compose/list-page.ts'
import type { Sources } from '../pages/compose/what.ts'
import type { Choices } from '../pages/compose/whom.ts'
import type { Page } from '../pages/page.ts'
import { showFrame } from '../pages/preview/show-frame.ts'
import { formOf, type Reader, signedInPages } from '../signed-in-pages.ts'
import { assertStorable } from '../storable-form.ts'
import { unitIn } from '../unit-in.ts'

const url = '/compose/:id'

/** The pages on which people of a unit write a message (docs/design/console.md). */
export function composePageRoutes(app: FastifyInstance, services: Services): void {
  signedInPages(app, services, 'compose', ({ get, post }) => {
    get('/compose', async ({ principal, session, locale }, request) => {
      const { units, unit } = await unitIn(services.db, session, request)
      return compositionsPage(locale, { units, unit }, await listCompositions(services, principal, unit.id))
    })

    post('/compose', async ({ principal }, request, reply) => {
      const id = await startComposition(services, principal, await begun(principal, formOf(request)))
      return reply.redirect(`/compose/${id}`, 303)
    })

    get(url, async (reader, request) => {
      const stored = await readComposition(services, reader.principal, idOf(request))
      const { act, tested } = request.query as { act?: unknown; tested?: unknown }
      if (act === 'discard') return discardPage(reader.locale, await unitOf(stored), stored)
      return pageOf(reader, stored, { tested: tested === 'sent' ? tested : null })
    })

    post(url, take)

    get(`${url}/preview/:channel/:locale`, async ({ principal }, request, reply) => {
      const { channel, locale } = request.params as { channel: string; locale: string }
      if (!isOneOf(channels, channel) || !isOneOf(locales, locale))
        throw new ServiceError('not_found', 'No such preview. Check the channel and the language.')
      const stored = await readComposition(services, principal, idOf(request))
      const { body } = describedBy(stored.form, (await unitOf(stored)).timeZone)
      if (!body) throw new ServiceError('not_found', 'It has no preview before its fields are complete.')
      const whole = { ...body, unitId: stored.unitId }
      const preview = await previewUnsaved(services, principal, whole, { channel, locale })
      const { wave } = request.query as { wave?: unknown }
      return showFrame(reply, preview, {
        wave: wave === 'reminder' ? wave : 'first',
        pictures: picturesOf(services),
      })
    })
  })

  async function unitOf({ unitId }: Pick<Composition, 'unitId'>): Promise<Unit> {
    return orNotFound(await findUnit(services.db, unitId), 'unit')
  }

  /** What the writing begins with: nothing but a text in a unit, or a draft of it. */
  async function begun(principal: PersonPrincipal, form: URLSearchParams) {
    const [unitId, messageId] = [idOrNull(form.get('unit')), idOrNull(form.get('message'))]
    if (messageId !== null) {
      const draft = await readDraft(services, principal, messageId)
      return { unitId: draft.unitId, messageId, form: writtenOf(draft.body, (await unitOf(draft)).timeZone) }
    }
    if (unitId === null) throw new ServiceError('validation_error', 'The form is not one of this page.')
    return { unitId, messageId, form: firstForm }
  }

  /** Saves what was written, whatever else the button asks for. */
  async function take(
    reader: Reader,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Page | FastifyReply> {
    const { principal } = reader
    const id = idOf(request)
    const form = formOf(request)
    assertStorable(form)
    const act = form.get('act') ?? 'check'
    if (act === 'discarded') {
      await discardComposition(services, principal, id)
      return reply.redirect('/compose', 303)
    }
    const written: Fields = [...form].filter(([name]) => !ofPage.includes(name))
    const change = changeOf(act)
    const fields = change ? changed(written, change) : written
    const version = Number(form.get('version'))
    const { stale, stored } = await saveComposition(services, principal, id, { version, form: fields })
    if (stale) {
      reply.code(409)
      return pageOf(reader, { ...stored, form: fields }, { theirs: stored })
    }
    if (act === 'submit' || act === 'test') return leave(reader, stored, act, reply)
    return reply.redirect(`/compose/${id}${act === 'check' ? '#check' : ''}`, 303)
  }

  /** Makes a message of it: one that is submitted, or a draft that its author sees on their own phone. */
  async function leave(
    reader: Reader,
    stored: Composition,
    act: 'submit' | 'test',
    reply: FastifyReply,
  ): Promise<Page | FastifyReply> {
    const { principal } = reader
    const { body } = describedBy(stored.form, (await unitOf(stored)).timeZone)
    if (!body) return pageOf(reader, stored)
    try {
      if (act === 'submit') {
        const messageId = await submitComposition(services, principal, stored, body)
        return reply.redirect(`/messages/${messageId}?done=submit`, 303)
      }
      await testComposition(services, principal, stored, body)
      return reply.redirect(`/compose/${stored.id}?tested=sent`, 303)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status === 500) throw error
      reply.code(error.status)
      const now = await readComposition(services, principal, stored.id)
      return pageOf(reader, now, { refused: error.message })
    }
  }

  type Aside = { theirs?: Composition; refused?: string; tested?: 'sent' | null }

  async function pageOf(reader: Reader, composition: Composition, aside: Aside = {}): Promise<Page> {
    const { principal, locale } = reader
    const unit = await unitOf(composition)
    const { theirs = null, refused = null, tested = null } = aside
    return composePage(locale, {
      unit,
      composition,
      sources: await sourcesFor(principal, composition),
      choices: await choicesFor(principal, composition, locale),
      check: { ...(await checkOf(principal, composition, unit.timeZone)), refused },
      pictures: picturesOf(services),
      theirs,
      tested,
    })
  }

  /** What a message can be made of; of the templates, the newest, or those that are looked for. */
  async function sourcesFor(principal: PersonPrincipal, { unitId, form }: Composition): Promise<Sources> {
    const isOfTemplate = valueIn({ fields: form }, contentField) === 'template'
    const templateId = idOrNull(valueIn({ fields: form }, 'templateId'))
    const q = valueIn({ fields: form }, searchFor('templates')).trim()
    const query = { unitId, limit: isOfTemplate ? limits.pageSizeMax : 1, ...(q !== '' && { q }) }
    return {
      categories: (await listCategories(services, { limit: limits.pageSizeMax })).items,
      topics: (
        await listTopics(services, principal, { unitId, status: ['active'], limit: limits.pageSizeMax })
      ).items,
      templates: (await listTemplates(services, principal, query)).items,
      template:
        isOfTemplate && templateId !== null
          ? await getTemplate(services, principal, templateId).catch(orNull)
          : null,
    }
  }

  async function choicesFor(
    principal: PersonPrincipal,
    { unitId, form }: Composition,
    locale: Locale,
  ): Promise<Choices> {
    const valuesOf = async (dimension: ChosenDimension) => {
      const q = valueIn({ fields: form }, searchFor(dimension)).trim()
      const { items } = await listAudienceValues(services, principal, { unitId, dimension, q })
      return items.map(({ id, name }) => [id, localise(locale, name)] as const)
    }
    const query = MessageListQuery.parse({ unitId, state: ['sent'], limit: messagesOffered })
    const { items } = await listMessages(services, principal, query)
    // One after another: a unit may run few counts at once.
    return {
      orgUnits: await valuesOf('orgUnits'),
      classIds: await valuesOf('classIds'),
      tags: await valuesOf('tags'),
      groups: await valuesOf('groups'),
      patterns: await valuesOf('patterns'),
      messages: items.map(({ id, title }) => [id, localise(locale, title)] as const),
    }
  }

  /** Whom it would reach and what they would see, or what is to be changed before that can be said. */
  async function checkOf(
    principal: PersonPrincipal,
    { form, unitId }: Composition,
    timeZone: string,
  ): Promise<Omit<Check, 'refused'>> {
    const described = describedBy(form, timeZone)
    const none = { forecast: null, previews: [], startsAt: null, at: new Date().toISOString() }
    if (!described.body) return { ...none, issues: described.issues }
    const body: CreateMessage = { ...described.body, unitId }
    try {
      const forecast = await dryRunUnsaved(services, principal, body)
      const issues = forecast.violations.map(({ path, code, message }) => issueAt(path, code, message))
      return {
        ...none,
        issues,
        forecast,
        startsAt: body.scheduleAt ?? null,
        previews: issues.length > 0 ? [] : await previewsOf(principal, body),
      }
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error
      return { ...none, issues: issuesOf(error) }
    }
  }

  async function previewsOf(principal: PersonPrincipal, body: CreateMessage) {
    const category = orNotFound(await findCategory(services.db, body.categoryId), 'category')
    return Promise.all(
      category.channelPlan.channels.flatMap((channel) =>
        locales.map((locale) => previewUnsaved(services, principal, body, { channel, locale })),
      ),
    )
  }
}

/** A new message begins with a text, to people who are chosen. */
const firstForm: Fields = [
  ['messages.0.kind', 'text'],
  ['audience.kind', 'query'],
]
/** Fields of the page that are no part of what is written. */
const ofPage = ['version', 'act']
/** The newest messages whose recipients can be chosen or left out. */
const messagesOffered = 20

/** Where an error says what is wrong; the whole of it if it does not. */
function issuesOf({ code, message, details }: ServiceError): FieldIssue[] {
  const { issues = [] } = (details ?? {}) as { issues?: { path: string; message: string }[] }
  return issues.length === 0
    ? [issueAt('', code, message)]
    : issues.map((issue) => issueAt(issue.path, code, issue.message))
}

function orNull(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'not_found') return null
  throw error
}

/** @throws ServiceError not_found for an id that none can have */
function idOf({ params }: FastifyRequest): string {
  const id = idOrNull((params as { id: string }).id)
  if (id !== null) return id
  throw new ServiceError('not_found', 'Nothing is written here. Check the address.')
}

import type { ChosenDimension } from '../../../contract/audience-values.ts'
import type { Locale } from '../../../contract/enums.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { CreateMessage } from '../../../contract/messages/create.ts'
import { MessageListQuery } from '../../../contract/messages/list.ts'
import type { Composition } from '../../../db/queries/composition/composition.ts'
import { listMembers } from '../../../db/queries/identity/unit.ts'
import { localise } from '../../../domain/content/localise.ts'
import { idOrNull } from '../../../domain/lib/id.ts'
import type { PersonPrincipal } from '../../../domain/rights/principal.ts'
import { listAudienceValues } from '../../../services/audience-values.ts'
import { listCategories } from '../../../services/catalogue/categories.ts'
import { listTopics } from '../../../services/catalogue/topics.ts'
import { submitComposition, testComposition } from '../../../services/compositions/submit.ts'
import type { Services } from '../../../services/context.ts'
import { picturesOf } from '../../../services/media/pictures-in.ts'
import { listMessages } from '../../../services/messages/read.ts'
import { checkUnsaved, previewUnsaved } from '../../../services/messages/unsaved.ts'
import { getTemplate, listTemplates } from '../../../services/templates/templates.ts'
import type { Check } from './check.ts'
import type { Composer, DraftForm } from './composer.ts'
import { contentField, parseMessageForm } from './form/message-body.ts'
import { issueAt, issuesIn, searchFor } from './form/parse-form.ts'
import { valueIn } from './inputs.ts'
import { messageForm } from './message-form.ts'
import { organisersOf } from './organisers.ts'
import type { Sources } from './what.ts'
import type { Choices } from './whom.ts'

/** The newest messages whose recipients can be chosen or left out. */
const messagesOffered = 20

const noChoices: Choices = { orgUnits: [], classIds: [], tags: [], groups: [], patterns: [], messages: [] }

/** A message, as it is written in a browser. */
export function messageComposer(services: Services): Composer {
  return {
    async page({ principal, locale }, { composition, unit }, notices) {
      return messageForm(locale, {
        ...{ ...notices, unit, composition, personId: principal.personId },
        sources: await sourcesFor(principal, composition),
        choices: notices.part === 'beside' ? noChoices : await choicesFor(principal, composition, locale),
        check: { ...(await checkOf(principal, { composition, unit })), refused: notices.refused },
        members: notices.part === 'beside' ? [] : await listMembers(services.db, unit.id),
        pictures: picturesOf(services),
      })
    },

    async submit({ principal }, draft) {
      const body = bodyOf(draft)
      const organisers = organisersOf(draft.composition.form)
      return body && submitComposition(services, principal, draft.composition, { body, organisers })
    },

    addressOf: (id) => `/messages/${id}?done=submit`,

    async preview({ principal }, draft, variant) {
      const body = bodyOf(draft)
      return body && previewUnsaved(services, principal, { ...body, unitId: draft.unit.id }, variant)
    },

    async test({ principal }, draft) {
      const body = bodyOf(draft)
      if (body) await testComposition(services, principal, draft.composition, body)
      return body !== null
    },
  }

  function bodyOf({ composition, unit }: DraftForm): CreateMessage | null {
    return parseMessageForm(composition.form, unit.timeZone).body
  }

  /** What a message can be made of; of the templates, the newest, or those that are looked for. */
  async function sourcesFor(principal: PersonPrincipal, { unitId, form }: Composition): Promise<Sources> {
    const isOfTemplate = valueIn({ fields: form }, contentField) === 'template'
    const templateId = idOrNull(valueIn({ fields: form }, 'templateId'))
    const q = valueIn({ fields: form }, searchFor('templates')).trim()
    const query = { unitId, limit: isOfTemplate ? limits.pageSizeMax : 1, ...(q !== '' && { q }) }
    const templates = await listTemplates(services, principal, query)
    return {
      categories: (await listCategories(services, { limit: limits.pageSizeMax })).items,
      topics: (
        await listTopics(services, principal, { unitId, status: ['active'], limit: limits.pageSizeMax })
      ).items,
      templates: templates.items,
      moreTemplates: isOfTemplate && templates.nextCursor !== null,
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
    { composition, unit }: DraftForm,
  ): Promise<Omit<Check, 'refused'>> {
    const result = parseMessageForm(composition.form, unit.timeZone)
    const none = { forecast: null, previews: [], startsAt: null, at: new Date().toISOString() }
    if (!result.body) return { ...none, issues: result.issues }
    const body: CreateMessage = { ...result.body, unitId: unit.id }
    try {
      const { forecast, previews } = await checkUnsaved(services, principal, body)
      const issues = forecast.violations.map((violation) => issueAt(violation.path, violation))
      return { ...none, issues, forecast, startsAt: body.scheduleAt ?? null, previews }
    } catch (error) {
      return { ...none, issues: issuesIn(error) }
    }
  }
}

function orNull(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'not_found') return null
  throw error
}

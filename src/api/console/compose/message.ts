import { createHash } from 'node:crypto'
import type { ChosenDimension, ValueDimension } from '../../../contract/audience-values.ts'
import { channels, keysOf, type Locale } from '../../../contract/enums.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { CreateMessage } from '../../../contract/messages/create.ts'
import { MessageListQuery } from '../../../contract/messages/list.ts'
import type { Composition } from '../../../db/queries/composition/composition.ts'
import { findOwnAddresses } from '../../../db/queries/identity/person.ts'
import { listMembers } from '../../../db/queries/identity/unit.ts'
import type { Violation } from '../../../domain/audience/audience.ts'
import { localise } from '../../../domain/content/localise.ts'
import { canonicalJson } from '../../../domain/lib/canonical-json.ts'
import { idOrNull } from '../../../domain/lib/id.ts'
import type { PersonPrincipal } from '../../../domain/rights/principal.ts'
import { valueNamesIn } from '../../../services/audience-value-names.ts'
import { listChoices } from '../../../services/audience-values.ts'
import { listCategories } from '../../../services/catalogue/categories.ts'
import { listTopics } from '../../../services/catalogue/topics.ts'
import { submitComposition, testComposition } from '../../../services/compositions/submit.ts'
import type { Services } from '../../../services/context.ts'
import { createKept } from '../../../services/kept.ts'
import { picturesOf } from '../../../services/media/pictures-in.ts'
import { listMessages } from '../../../services/messages/read.ts'
import { type Drawn, drawUnsaved } from '../../../services/messages/unsaved.ts'
import { getTemplate, listTemplates } from '../../../services/templates/templates.ts'
import { shortDateOf } from '../kit/format.ts'
import type { Check } from './check.ts'
import { type Composer, type DraftForm, writerOf } from './composer.ts'
import { drawWithStandIns } from './draw.ts'
import { type Fields, valuesOf } from './form/fields.ts'
import { contentField, messageInput, parseMessageForm } from './form/message-body.ts'
import { issueAt, readAs, searchFor } from './form/parse-form.ts'
import { type Choice, valueIn } from './inputs.ts'
import { messageForm } from './message-form.ts'
import { organisersOf } from './organisers.ts'
import { type OwnAddresses, testResultOf } from './test-result.ts'
import type { Sources } from './what.ts'
import type { Choices } from './whom.ts'
import { composeWords } from './words.ts'

/** The newest messages whose recipients can be chosen or left out, and how old (ms) their list may be. */
const [messagesOffered, offeredMs] = [20, 60_000]

const noSources: Sources = { categories: [], topics: [], templates: [], moreTemplates: false, template: null }
const noChoices: Choices = { orgUnits: [], classIds: [], tags: [], groups: [], patterns: [], messages: [] }

/** A message, as it is written in a browser. */
export function messageComposer(services: Services): Composer {
  const kept = createKept<Awaited<ReturnType<typeof listMessages>>>(offeredMs)
  const keptOwn = createKept<OwnAddresses>(offeredMs)

  return {
    async page(reader, draft, notices) {
      const { principal, locale } = reader
      const { composition } = draft
      const { part, checked, refused, tested } = notices
      const counts = part === 'numbers' || (part === 'page' && checked)
      const hasFields = part === 'page' || part === 'form'
      const [sources, choices, members, check, own] = await Promise.all([
        hasFields ? sourcesFor(principal, composition) : noSources,
        hasFields ? choicesFor(principal, draft, locale) : noChoices,
        hasFields ? listMembers(services.db, draft.unit.id) : [],
        checkOf(principal, draft, counts),
        ownOf(principal, tested.length > 0),
      ])
      return messageForm(locale, {
        ...{ ...notices, ...draft, ...writerOf(reader), sources, choices, members, own },
        check: { ...check, refused },
        pictures: picturesOf(services),
      })
    },

    async submit({ principal }, draft) {
      const body = bodyOf(draft)
      const organisers = organisersOf(draft.composition.form)
      return body && submitComposition(services, principal, draft.composition, { body, organisers })
    },

    addressOf: (id) => `/messages/${id}?done=submit`,

    async preview({ principal }, draft, { channel, locale }) {
      const { previews } = await checkOf(principal, draft, false)
      return previews.find((one) => one.channel === channel && one.locale === locale) ?? null
    },

    async test({ principal }, draft) {
      const body = bodyOf(draft)
      if (!body) return null
      const outcomes = await testComposition(services, principal, draft.composition, body)
      return outcomes.map(testResultOf)
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
    const [templates, categories, topics, template] = await Promise.all([
      listTemplates(services, principal, query),
      listCategories(services, { limit: limits.pageSizeMax }),
      listTopics(services, principal, { unitId, status: ['active'], limit: limits.pageSizeMax }),
      isOfTemplate && templateId !== null ? getTemplate(services, principal, templateId).catch(orNull) : null,
    ])
    return {
      ...{ categories: categories.items, topics: topics.items, templates: templates.items, template },
      moreTemplates: isOfTemplate && templates.nextCursor !== null,
    }
  }

  /** Where a test of the reader goes, which may be a minute old; `fresh`: as it was just now, since one was sent. */
  function ownOf({ personId }: PersonPrincipal, fresh: boolean): Promise<OwnAddresses> {
    const find = () => findOwnAddresses(services.db, personId)
    return fresh ? find() : keptOwn(personId, find)
  }

  async function choicesFor(
    principal: PersonPrincipal,
    { composition: { unitId, form }, unit }: DraftForm,
    locale: Locale,
  ): Promise<Choices> {
    const listOf = async (dimension: ChosenDimension) => {
      const q = valueIn({ fields: form }, searchFor(dimension)).trim()
      return (await listChoices(services, principal, { unitId, dimension, q })).items
    }
    const namedOf = async (dimension: 'groups' | 'patterns') =>
      (await listOf(dimension)).map(({ id, name }) => [id, localise(locale, name)] as const)
    // What was chosen is called by its name although it is not among the first ones.
    const chosen = chosenValues(form)
    const names = await valueNamesIn(services.db, [chosen])
    const peopleOf = async (dimension: ValueDimension) => {
      const items = await listOf(dimension)
      const others = chosen[dimension].filter((id) => !items.some((one) => one.id === id))
      const rest = others.map((id) => ({ id, name: names(dimension, id) ?? { 'zh-TW': id } }))
      return [...items, ...rest].map(({ id, name }): Choice => {
        const text = localise(locale, name)
        return text === id ? [id, id] : [id, text, id]
      })
    }
    const query = MessageListQuery.parse({ unitId, state: ['sent'], limit: messagesOffered })
    const [groups, patterns, { items }] = await Promise.all([
      namedOf('groups'),
      namedOf('patterns'),
      kept(`${principal.personId} ${unitId}`, () => listMessages(services, principal, query)),
    ])
    // One after another: a unit may run few counts at once.
    return {
      orgUnits: await peopleOf('orgUnits'),
      classIds: await peopleOf('classIds'),
      tags: await peopleOf('tags'),
      ...{ groups, patterns },
      messages: items.map(({ id, title, scheduleAt, createdAt }) => {
        const day = shortDateOf(locale, unit.timeZone, scheduleAt ?? createdAt)
        return [id, `${localise(locale, title)} · ${day}`] as const
      }),
    }
  }

  /**
   * What they would see, and all that is to be changed; with `counts`, whom it would reach, of the same reading, once nothing
   * is to be changed.
   */
  async function checkOf(
    principal: PersonPrincipal,
    { composition: { form }, unit }: DraftForm,
    counts: boolean,
  ): Promise<Omit<Check, 'refused'>> {
    const drawing = (counting: boolean) =>
      drawWithStandIns(messageInput(form, unit.timeZone), {
        read: (input) => readAs(CreateMessage, input, form),
        draw: (body, isWhole) => drawAs({ ...body, unitId: unit.id }, counting && isWhole),
      })
    const drawAs = async (body: CreateMessage, counting: boolean) => ({
      body,
      ...(await drawUnsaved(services, principal, body, { counts: counting })),
    })
    const { result, issues } = await drawing(counts)
    // Who may not see the numbers sees the rest.
    const content = result ?? (counts ? (await drawing(false)).result : null)
    const forecast = result?.forecast ?? null
    const past = (content?.warnings ?? []).some(({ code }) => code === 'schedule_past')
    const violations = [...(content?.violations ?? []), ...(past ? [pastSend] : [])]
    const ofPeople = (forecast?.violations ?? []).filter((one) => !isAmong(one, violations))
    const isCountable = content !== null && violations.length === 0 && issues.every(({ name }) => name === '')
    return {
      issues: [...issues, ...[...violations, ...ofPeople].map((one) => issueAt(one.path, one))],
      previews: content?.previews ?? [],
      channels: content ? keysOf(content.calls) : [...channels],
      forecast,
      numbersOf: isCountable ? digestOf(content) : null,
      startsAt: content?.body.scheduleAt ?? null,
      at: new Date().toISOString(),
    }
  }
}

/** The values of people that are chosen in a form, for the audience or to be left out. */
function chosenValues(form: Fields) {
  const chosen = (dimension: ValueDimension) => [
    ...new Set(['audience', 'audience.exclude'].flatMap((path) => valuesOf(form, `${path}.${dimension}[]`))),
  ]
  return {
    kind: 'query' as const,
    orgUnits: chosen('orgUnits'),
    classIds: chosen('classIds'),
    tags: chosen('tags'),
  }
}

/** Whoever picks a time in a calendar means one that is to come: for the API it is a warning. */
const pastSend: Violation = {
  ...{ path: 'scheduleAt', code: 'schedule_past' },
  message: { 'zh-TW': composeWords['zh-TW'].pastSend, en: composeWords.en.pastSend },
}

/** What the numbers of a message depend on: with the same, they need not be counted again. */
function digestOf({ body, calls, warnings }: Drawn & { body: CreateMessage }): string {
  const { messages: _, subject: __, calendar: ___, variables: ____, ...settings } = body
  return createHash('sha256')
    .update(canonicalJson({ settings, calls, warnings }))
    .digest('base64url')
    .slice(0, 12)
}

function isAmong({ path, code }: Violation, violations: readonly Violation[]): boolean {
  return violations.some((one) => one.path === path && one.code === code)
}

function orNull(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'not_found') return null
  throw error
}

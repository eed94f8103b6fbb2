import type { Compiled, CompiledContent } from '../../channels/channel.ts'
import type { ContentToCompile } from '../../channels/content.ts'
import type { ChannelRegistry } from '../../channels/index.ts'
import { addressCodes } from '../../channels/violations.ts'
import { type Channel, channels } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { MessageRequest } from '../../contract/messages/create.ts'
import { broken } from '../../contract/rules.ts'
import type { TemplateVariable } from '../../contract/templates/template.ts'
import type { Db } from '../../db/connect.ts'
import { type Category, findCategory } from '../../db/queries/catalogue/category.ts'
import { type DraftSources, findDraftSources, findFrozen } from '../../db/queries/message/content.ts'
import { type FoundMessage, findMessage } from '../../db/queries/message/message.ts'
import type { MessageRow } from '../../db/tables.ts'
import type { Forecast, Violation } from '../../domain/audience/audience.ts'
import { calendarViolations, contentViolations, contentWarnings } from '../../domain/content/content-check.ts'
import { noEnglish } from '../../domain/content/no-english.ts'
import type { ContentWave } from '../../domain/content/reminder-time.ts'
import type { TemplateText } from '../../domain/content/render.ts'
import type { SendingUnit } from '../../domain/content/sending-unit.ts'
import { titleOf } from '../../domain/content/title.ts'
import { expiredDraft, isExpired } from '../../domain/message/expiry.ts'
import { checkSchedule } from '../../domain/message/past-schedule.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import { assertMayHaveTopic } from '../catalogue/topics.ts'
import type { Services } from '../context.ts'
import { withCountLimit } from '../count-limit.ts'
import { pictureBase, unknownPictures } from '../media/pictures-in.ts'
import { findInUnits } from '../unit-access.ts'
import { validationError } from '../validation-error.ts'
import { inactiveTargets, unknownReferences } from './action-references.ts'
import { brokenBy } from './broken-by.ts'
import { calendarOffer } from './calendar.ts'
import { viewCount } from './count-view.ts'
import { type ForecastRow, takeSnapshot } from './forecast.ts'
import { missingVariables } from './missing-variables.ts'
import { transitionError } from './move.ts'
import { linkTracking } from './track-links.ts'

/** The columns from which a draft is rendered and checked. */
export type DraftRow = Pick<
  MessageRow,
  'id' | 'unit_id' | 'category_id' | 'template_id' | 'topic_id' | 'audience' | 'channel_plan' | 'remind_at'
>

/** The content that submit freezes, with its category. */
export type RenderedDraft = {
  messages: CanonicalMessage[]
  compiled: CompiledContent
  /** What the reminder sends; null without one. */
  compiledReminder: CompiledContent | null
  title: LocalisedText
  /** The version that it was rendered from. */
  template: DraftSources['template']
  violations: Violation[]
  warnings: Violation[]
  category: Category
}

/**
 * Forecasts a submit or a send: counts and violations, never recipients. Changes nothing. After submit, the cost is
 * that of the frozen content.
 * @throws ServiceError not_found, missing_variable, not_configured, invalid_transition once the message is closed,
 *   unavailable if the unit has too many counts running, individual_targeting_disabled as `viewCount` does
 */
export async function dryRun(services: Services, principal: Principal, id: string): Promise<Forecast> {
  const record = await findInUnits(services.db, principal, id, 'message', findMessage)
  const counted = await withCountLimit(record.message.unit_id, () => forecast(services, record))
  return viewCount(services.db, principal, record.message, counted)
}

async function forecast(services: Services, record: FoundMessage): Promise<Forecast> {
  const { message, now } = record
  if (message.state === 'draft') return forecastDraft(services, message, now)
  if (message.closed_at)
    throw await transitionError(
      services.db,
      record,
      `dry-run is not possible: the message is closed (${message.state}). Its numbers are in snapshot and stats.`,
    )
  const frozen = await findFrozen(services.db, message.id)
  const category = await categoryOf(services.db, message)
  const { messages = [], compiled = {}, compiledReminder = null } = frozen ?? {}
  const warnings = await warningsOf(services.db, message.unit_id, messages)
  const content = { compiled, compiledReminder, violations: [], warnings }
  return takeSnapshot(services, services.db, message, category, content, now)
}

/** Forecasts a draft at `now` (ms). `sources`: what it was made of, if that is at hand. */
export async function forecastDraft(
  services: Services,
  draft: DraftRow & ForecastRow,
  now: number,
  sources?: RenderedSources,
): Promise<Forecast> {
  const { channels } = draft.channel_plan
  const rendered = await renderDraft(services, services.db, draft, channels, sources)
  return forecastRendered(services, draft, now, rendered)
}

/** The same of a draft that was rendered, on every channel of its plan. */
export async function forecastRendered(
  services: Services,
  draft: DraftRow & ForecastRow,
  now: number,
  { category, ...content }: RenderedDraft,
): Promise<Forecast> {
  const faults = draftFaults(draft, content, now)
  return takeSnapshot(services, services.db, draft, category, { ...content, ...faults }, now)
}

/** What is wrong with a draft at `now` (ms), and what its author should know, whomever it would reach. */
export function draftFaults(
  draft: Pick<ForecastRow, 'expires_at' | 'schedule_at'>,
  content: Pick<RenderedDraft, 'violations' | 'warnings'>,
  now: number,
): Pick<RenderedDraft, 'violations' | 'warnings'> {
  const expired = isExpired(draft.expires_at?.getTime() ?? null, now) ? [expiredDraft] : []
  const schedule = checkSchedule(draft.schedule_at?.getTime() ?? null, now)
  return {
    violations: [...content.violations, ...expired, ...schedule.violations],
    warnings: [...content.warnings, ...schedule.warnings],
  }
}

/** The sources of a draft, read and rendered before it was written. */
export type RenderedSources = DraftSources & { content: RenderedContent }

/**
 * Renders a draft from the version of its template that is in force now, and compiles it for these channels. `sources`:
 * what the caller's transaction has made of it.
 * @throws ServiceError missing_variable, not_configured, validation_error if the category is disabled, or mandatory and
 *   the message has a topic
 */
export async function renderDraft(
  services: Services,
  db: Db,
  message: DraftRow,
  names: Channel[],
  sources?: RenderedSources,
): Promise<RenderedDraft> {
  const { request, template, unit, category } = sources ?? (await findDraftSources(db, message))
  assertUsable(category)
  assertMayHaveTopic(message.topic_id, category.layer)
  const { messages, subject, ...rendered } =
    sources?.content ?? (await contentOf(services, unit, request, template))
  const title = titleOf(messages, subject, category.name)
  const content = {
    messages,
    subject: title,
    unit,
    categoryId: category.id,
    category: category.name,
    unsubscribe: category.layer !== 'mandatory',
    ...linkTracking(services, category.links, message.id),
    ...calendarOffer(services, { messageId: message.id, unit, title }, request.calendar),
    ...(services.media && { pictures: pictureBase(services.media) }),
  }
  const compile = (wave: ContentWave) =>
    compileFor(services.channels, names, { id: message.id, ...content, wave })
  const { compiled, violations } = compile(firstWaveOf(message, unit))
  const reminder = message.remind_at ? compile('reminder') : null
  const unknown = await unknownReferences(db, message.unit_id, messages)
  return {
    category,
    messages,
    compiled,
    compiledReminder: reminder?.compiled ?? null,
    title,
    template,
    violations: [
      ...rendered.violations,
      ...contentViolations({ messages, subject }),
      ...calendarViolations(request.calendar ?? {}),
      ...unknown,
      ...(await unknownPictures(services, db, message.unit_id, messages)),
      ...elsewhere(rendered.violations, violations),
    ],
    warnings: [...rendered.warnings, ...(await warningsOf(db, message.unit_id, messages))],
  }
}

/** What a producer should know: buttons that lead nowhere or begin a scenario that starts nothing now, missing English. */
async function warningsOf(
  db: Db,
  unitId: string,
  messages: readonly CanonicalMessage[],
): Promise<Violation[]> {
  return [
    ...contentWarnings(messages),
    ...(await inactiveTargets(db, unitId, messages)),
    ...noEnglish(messages),
  ]
}

/** The wave that sends a message first. `unit`: its unit, in whose time zone the reminder is announced. */
export function firstWaveOf(
  { remind_at: at }: Pick<MessageRow, 'remind_at'>,
  unit: Pick<SendingUnit, 'timeZone'>,
): ContentWave {
  return at ? { at, timeZone: unit.timeZone } : 'only'
}

/** The violations in other places than those that are reported already. */
function elsewhere(reported: Violation[], violations: Violation[]): Violation[] {
  const paths = new Set(reported.map(({ path }) => path))
  return violations.filter(({ path }) => !paths.has(path))
}

function assertUsable({ id, enabled }: Category): void {
  if (enabled) return
  throw validationError([{ path: 'categoryId', ...broken('inactive', { of: 'category', id }) }])
}

/**
 * The category of a message, enabled or not.
 * @throws ServiceError internal if the row is missing, which the foreign key rules out
 */
export async function categoryOf(db: Db, message: Pick<MessageRow, 'category_id'>): Promise<Category> {
  const category = await findCategory(db, message.category_id)
  if (!category) throw new ServiceError('internal', 'The category of this message does not exist.')
  return category
}

type RenderedContent = {
  messages: CanonicalMessage[]
  subject: LocalisedText | null
  violations: Violation[]
  /** What the author should know of the values. */
  warnings: Violation[]
}

/**
 * The canonical messages and the subject of a request: as written, or rendered from the template. What rendering makes
 * invalid (an empty text, a malformed address) is returned as violations.
 * @throws ServiceError missing_variable, with details {variables}; RetryLater
 */
export async function contentOf(
  { rendering }: Pick<Services, 'rendering'>,
  unit: Pick<SendingUnit, 'id' | 'timeZone'>,
  request: MessageRequest,
  template: (TemplateText & { variables: TemplateVariable[] }) | null,
): Promise<RenderedContent> {
  if (!template) {
    const { messages = [], subject = null } = request
    return { messages, subject, violations: [], warnings: [] }
  }
  const { variables, ...text } = template
  const task = {
    template: { messages: text.messages, subject: text.subject },
    variables,
    values: request.variables ?? {},
    timeZone: unit.timeZone,
  }
  const { messages, subject, missing, violations, warnings } = await rendering.run(unit.id, 'template', task)
  if (missing.length > 0) throw missingVariables(missing, variables)
  const all = [...violations, ...elsewhere(violations, brokenBy(messages))]
  return { messages, subject, violations: all, warnings }
}

/**
 * Compiles content for these channels. What several channels refuse in the same place is listed once, with the advice of
 * the first in the order of `channels`: chat takes less than mail.
 * @throws ServiceError not_configured for a channel that this installation lacks
 */
export function compileFor(
  registry: ChannelRegistry,
  names: readonly Channel[],
  { id, ...content }: ContentToCompile & { id: string },
): { compiled: CompiledContent; violations: Violation[] } {
  const compiled: { [C in Channel]?: Pick<Compiled<C>, 'locales'> } = {}
  const violations = new Map<string, Violation>()
  const compileOn = <C extends Channel>(name: C): Pick<Compiled<C>, 'locales'> => {
    const channel = registry[name]
    if (!channel)
      throw new ServiceError(
        'not_configured',
        `The channel ${name} is not configured. Ask the operator to set it up.`,
      )
    const result = channel.compile(content, { m: id })
    for (const violation of result.violations) {
      const fault = `${violation.path} ${addressCodes.has(violation.code) ? 'address' : violation.code}`
      if (!violations.has(fault)) violations.set(fault, violation)
    }
    return { locales: result.locales }
  }
  const compileInto = <C extends Channel>(
    content: { [One in C]?: Pick<Compiled<One>, 'locales'> },
    name: C,
  ) => {
    content[name] = compileOn(name)
  }
  for (const name of channels.filter((one) => names.includes(one))) compileInto(compiled, name)
  return { compiled, violations: [...violations.values()] }
}

/** `compiledReminder`: what the reminder sends; null: there is none, or it sends what the message does. */
export type CompiledText = {
  messages: CanonicalMessage[]
  violations: Violation[]
  compiled: CompiledContent
  compiledReminder: CompiledContent | null
}

/**
 * The content of a message on these channels: frozen if it was submitted, otherwise rendered now (also for one that
 * ended as a draft).
 * @throws ServiceError missing_variable, not_configured, validation_error if the category is disabled, or mandatory and
 *   the message has a topic
 */
export async function compiledText(
  services: Services,
  message: MessageRow,
  channels: Channel[],
): Promise<CompiledText> {
  const frozen = await findFrozen(services.db, message.id)
  if (frozen) return { ...frozen, violations: [] }
  return renderDraft(services, services.db, message, channels)
}

import type { CallContent } from '../../channels/channel.ts'
import { isUndeliverable } from '../../channels/turn.ts'
import { type Locale, locales } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { CreatePattern, Pattern, PatternQuestion } from '../../contract/patterns/pattern.ts'
import type { ScenarioContent } from '../../contract/scenarios/content.ts'
import type { ScenarioNode } from '../../contract/scenarios/graph.ts'
import type { Simulation } from '../../contract/scenarios/simulation.ts'
import { type Category, findCategory } from '../../db/queries/catalogue/category.ts'
import { findSendingUnit, type Unit } from '../../db/queries/identity/unit.ts'
import { localise } from '../../domain/content/localise.ts'
import type { SendingUnit } from '../../domain/content/sending-unit.ts'
import { patternGraph, questionsOf } from '../../domain/pattern/generate.ts'
import type { PersonPrincipal } from '../../domain/rights/principal.ts'
import { optionsOf } from '../../domain/scenario/question.ts'
import { enabledCategory } from '../catalogue/categories.ts'
import type { Services } from '../context.ts'
import { noCategory, noCategoryId } from '../messages/no-category.ts'
import { simulatePattern, simulateScenario } from '../scenarios/simulate.ts'
import { orNotFound } from '../unit-access.ts'
import { checkDesign } from './check-design.ts'

/** One turn as the chat shows it, in one language. */
export type DrawnTurn = { messages: CallContent['chat']; answer: string | null }

/** What somebody types where a question has no options. */
const typed: LocalisedText = { 'zh-TW': '（對方輸入的文字）', en: '(what the person types)' }

/**
 * The conversation of a pattern's version, played with a person who takes part and chooses the first option of everything
 * else, as the chat shows it, in each language. Empty if it cannot be played, as after an edit by hand, or without a chat.
 */
export async function playedPattern(
  services: Services,
  principal: PersonPrincipal,
  { scenarioId, questions, unitId }: Pattern,
  { version, content, categoryId }: { version: number; content: ScenarioContent; categoryId: string },
): Promise<DrawnConversation[]> {
  const chosen = chosenFor(questions)
  const category = orNotFound(await findCategory(services.db, categoryId), 'category')
  const unit = await findSendingUnit(services.db, unitId)
  try {
    const answers = answersAt(content.nodes, chosen)
    const conversations: DrawnConversation[] = []
    for (const locale of locales) {
      const input = { version, answers, lookups: {}, locale }
      const { says } = await simulateScenario(services, principal, scenarioId, input)
      conversations.push(drawingOf(services, { category, unit, content, locale, chosen }, says))
    }
    return conversations.some(({ turns }) => turns.some(({ messages }) => messages.length > 0))
      ? conversations
      : []
  } catch (error) {
    if (error instanceof ServiceError) return []
    throw error
  }
}

/** A conversation as the chat shows it, in one language. */
export type DrawnConversation = { locale: Locale; turns: DrawnTurn[] }

/**
 * The same of a pattern that is not created, as the chat would show it, in each language; it may have `noCategoryId`.
 * @throws ServiceError what `createPattern` throws about the body, not_configured without a channel of the category
 */
export async function playDesign(
  services: Services,
  { id: unitId, kind: unitKind, timeZone }: Pick<Unit, 'id' | 'kind' | 'timeZone'>,
  design: CreatePattern,
): Promise<DrawnConversation[]> {
  await checkDesign(services, unitId, design, Date.now())
  const { categoryId } = design
  const category =
    categoryId === noCategoryId
      ? noCategory(services)
      : enabledCategory(await findCategory(services.db, categoryId), categoryId)
  const unit = await findSendingUnit(services.db, unitId)
  const graph = patternGraph(design, noScenario, timeZone)
  const { attendance, others } = questionsOf(design)
  const chosen = chosenFor(attendance ? [attendance, ...others] : others)
  const places = { capacity: design.capacity ?? null, registered: 0, own: null, timeZone }
  const pattern = {
    ...places,
    deadline: Date.parse(design.deadline),
    hasEntry: design.calendar !== undefined,
  }
  const played = { unitId, unitKind, category, content: graph, pattern }
  const answers = answersAt(graph.nodes, chosen)
  const conversations: DrawnConversation[] = []
  for (const locale of locales) {
    const { says } = await simulatePattern(services, played, { answers, locale })
    conversations.push(drawingOf(services, { category, unit, content: graph, locale, chosen }, says))
  }
  return conversations
}

type Played = {
  category: Category
  unit: SendingUnit
  content: ScenarioContent
  locale: Locale
  chosen: Map<string, string>
}

/** What a simulation says, as the chat shows it. */
function drawingOf(
  services: Services,
  { category, unit, content, locale, chosen }: Played,
  says: Simulation['says'],
): DrawnConversation {
  const turns = says.map((turn) => {
    const compiled = services.channels.chat?.compileTurn({
      ...{ id: '', runId: null, lastNode: turn.node, says: [turn] },
      ...{ content, category, unit, locale },
    })
    const answer = answerOf(turn.messages, chosen.get(turn.node))
    return {
      messages: compiled === undefined || isUndeliverable(compiled) ? [] : compiled,
      answer: answer && localise(locale, answer),
    }
  })
  return { locale, turns }
}

/** Where a scenario that is not stored would start again. */
const noScenario = '00000000-0000-7000-8000-000000000000'

/** What the person answers to each question. */
function chosenFor(questions: readonly PatternQuestion[]): Map<string, string> {
  return new Map(questions.map(({ id, options }) => [id, options?.[0]?.id ?? typed['zh-TW']]))
}

function answersAt(nodes: readonly ScenarioNode[], chosen: Map<string, string>): Record<string, string> {
  return Object.fromEntries(
    nodes.flatMap(({ id, kind }): [string, string][] => {
      if (kind === 'register') return [[id, 'registered']]
      const answer = kind === 'question' ? chosen.get(id) : undefined
      return answer === undefined ? [] : [[id, answer]]
    }),
  )
}

function answerOf(messages: CanonicalMessage[], chosen: string | undefined): LocalisedText | null {
  if (chosen === undefined) return null
  return messages.flatMap(optionsOf).find(({ id }) => id === chosen)?.label ?? typed
}

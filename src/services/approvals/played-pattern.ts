import { ServiceError } from '../../contract/errors.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Pattern, PatternQuestion } from '../../contract/patterns/pattern.ts'
import type { ScenarioContent } from '../../contract/scenarios/content.ts'
import type { PersonPrincipal } from '../../domain/rights/principal.ts'
import { optionsOf } from '../../domain/scenario/question.ts'
import type { Services } from '../context.ts'
import { simulateScenario } from '../scenarios/simulate.ts'

/** One turn of a conversation as it is played: what is said, and what the person then answers; null: nothing. */
export type PlayedTurn = { messages: CanonicalMessage[]; answer: LocalisedText | null }

/** What somebody types where a question has no options. */
const typed: LocalisedText = { 'zh-TW': '（對方輸入的文字）', en: '(what the person types)' }

/**
 * The conversation of a pattern's version, played with a person who takes part and chooses the first option of everything
 * else. Empty if it cannot be played, as after an edit by hand.
 */
export async function playedPattern(
  services: Services,
  principal: PersonPrincipal,
  { scenarioId, questions }: Pattern,
  { version, content }: { version: number; content: ScenarioContent },
): Promise<PlayedTurn[]> {
  const chosen = new Map(questions.map((question) => [question.id, chosenFor(question)]))
  const answers = content.nodes.flatMap(({ id, kind }): [string, string][] => {
    if (kind === 'register') return [[id, 'registered']]
    const answer = kind === 'question' ? chosen.get(id) : undefined
    return answer === undefined ? [] : [[id, answer]]
  })
  try {
    const input = { version, answers: Object.fromEntries(answers), lookups: {}, locale: 'zh-TW' as const }
    const { says } = await simulateScenario(services, principal, scenarioId, input)
    return says.map(({ node, messages }) => ({ messages, answer: answerOf(messages, chosen.get(node)) }))
  } catch (error) {
    if (error instanceof ServiceError) return []
    throw error
  }
}

function chosenFor({ options }: PatternQuestion): string {
  return options?.[0]?.id ?? typed['zh-TW']
}

function answerOf(said: CanonicalMessage[], chosen: string | undefined): LocalisedText | null {
  if (chosen === undefined) return null
  return said.flatMap(optionsOf).find(({ id }) => id === chosen)?.label ?? typed
}

import type { PatternQuestion } from '../../contract/patterns/pattern.ts'
import type { ScenarioNode } from '../../contract/scenarios/graph.ts'
import { type Question, questionsIn } from '../content/options.ts'
import { calendarNodes, generatedNodes, skips } from './generate.ts'
import { patternWords } from './words.ts'

/** The nodes of a pattern that are no questions to its people, whatever they press there. */
export function nodesBeside(questions: readonly PatternQuestion[]): string[] {
  const own = new Set(questions.map(({ id }) => id))
  return [...generatedNodes, ...calendarNodes].filter((node) => !own.has(node))
}

/** What a pattern asks: its own questions, and those that its scenario was given besides. */
export function columnsOf(questions: readonly PatternQuestion[], nodes: readonly ScenarioNode[]): Question[] {
  const others = new Set([...questions.map(({ id }) => id), ...nodesBeside(questions)])
  const skip = { id: skips, label: patternWords.skip }
  return [
    ...questions.map(({ id, text, options = [], required }) => {
      return { id, text, options: [...options, ...(required === false ? [skip] : [])] }
    }),
    ...nodes.flatMap((node) => (node.kind === 'question' && !others.has(node.id) ? [columnOf(node)] : [])),
  ]
}

function columnOf({ id, message }: Extract<ScenarioNode, { kind: 'question' }>): Question {
  const parts = questionsIn([message])
  const typed = message.kind === 'text' ? message.text : { 'zh-TW': id }
  const options = parts.flatMap((one) => one.options)
  return { id, text: parts[0]?.text ?? typed, options }
}

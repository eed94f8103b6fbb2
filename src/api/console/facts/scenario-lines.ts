import { type Locale, locales, type NodeKind } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { ScenarioContent } from '../../../contract/scenarios/content.ts'
import type { EdgeCase, Graph, ScenarioNode } from '../../../contract/scenarios/graph.ts'
import { localise } from '../../../domain/content/localise.ts'
import { replaceBetween } from '../../../domain/content/replace-between.ts'
import { spokenTexts } from '../../../domain/content/spoken-texts.ts'
import { mapTexts } from '../../../domain/content/texts.ts'
import { edgesFrom } from '../../../domain/scenario/edges.ts'
import { withNames } from '../../../domain/scenario/measured-text.ts'
import { textsOf } from '../../../domain/scenario/node-texts.ts'
import { optionsOf } from '../../../domain/scenario/question.ts'
import { dateOf, numberOf } from '../kit/format.ts'
import { kitWords } from '../kit/words.ts'
import { settingsIn, textsIn } from './changes.ts'
import { type ScenarioWords, scenarioWords } from './scenario-words.ts'

/**
 * Who reads, in which time zone, and the names of what the graph names by id. `keysReply`: whether keys of the unit may reply
 * in its handoffs.
 */
export type Reading = { locale: Locale; timeZone: string; names: Map<string, string>; keysReply: boolean }

/** A way out of a node: the words of its case (empty: when it is done), and the node it leads to. */
type Way = { when: string; to: string }

/** The ways out of a node, in the order in which they are tried: the buttons of a question, then its edges. */
export function waysFrom(locale: Locale, graph: Graph, node: ScenarioNode): Way[] {
  const { cases } = scenarioWords[locale]
  const buttons =
    node.kind === 'question'
      ? optionsOf(node.message).flatMap(({ label, nodeId }) =>
          nodeId === undefined
            ? []
            : [{ when: cases.option(withNames(localise(locale, label))), to: nodeId }],
        )
      : []
  const edges = edgesFrom(graph.edges, node.id).map(({ to, when }) => ({
    when: when ? caseText(locale, node, when) : '',
    to,
  }))
  return [...buttons, ...edges]
}

function caseText(locale: Locale, node: ScenarioNode, when: EdgeCase): string {
  const { cases } = scenarioWords[locale]
  switch (when.kind) {
    case 'option': {
      const option =
        node.kind === 'question' && optionsOf(node.message).find(({ id }) => id === when.optionId)
      return cases.option(option ? withNames(localise(locale, option.label)) : when.optionId)
    }
    case 'timeout':
      return cases.timeout(node.kind === 'question' ? waitText(locale, node.timeoutSeconds) : null)
    case 'equals':
      return equalsText(cases, when)
    case 'oneOf':
      return cases.oneOf(
        when.variable,
        when.values.map((value) => JSON.stringify(value)).join(kitWords[locale].comma),
      )
    case 'atLeast':
      return cases.atLeast(when.variable, String(when.value))
    case 'atMost':
      return cases.atMost(when.variable, String(when.value))
    case 'exists':
      return cases.exists(when.variable)
    case 'result':
      return cases.result[when.result]
    default:
      return cases[when.kind]
  }
}

function equalsText(
  { pattern, equals }: ScenarioWords['cases'],
  { variable, value }: Extract<EdgeCase, { kind: 'equals' }>,
): string {
  const condition = `${variable}=${value}`
  return Object.hasOwn(pattern, condition) ? pattern[condition]! : equals(variable, JSON.stringify(value))
}

const units = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
  ['seconds', 1],
] as const

/** How long a question waits; null: as long as any can, so that something else ends it, as the deadline of a pattern. */
function waitText(locale: Locale, seconds: number): string | null {
  return seconds < limits.scenarioWaitSeconds ? timeText(locale, seconds) : null
}

/** A time in the largest unit in which it is a whole number. */
export function timeText(locale: Locale, seconds: number): string {
  const [unit, length] = units.find(([, size]) => seconds % size === 0)!
  return scenarioWords[locale][unit](numberOf(locale, seconds / length))
}

/** What a node does beside what it says, in lines. */
export function nodeLines(reading: Reading, node: ScenarioNode): string[] {
  const { locale, names } = reading
  const context = {
    ...reading,
    words: scenarioWords[locale],
    list: (items: string[]) => items.join(kitWords[locale].comma),
    nameOf: (id: string) => names.get(id) ?? id,
  }
  const linesOf = lines[node.kind] as Lines<ScenarioNode>
  return linesOf(context, node)
}

type Context = Reading & {
  words: ScenarioWords
  list: (items: string[]) => string
  nameOf: (id: string) => string
}
type Lines<Node> = (context: Context, node: Node) => string[]

const lines: { [Kind in NodeKind]: Lines<Extract<ScenarioNode, { kind: Kind }>> } = {
  message: () => [],
  branch: () => [],
  end: () => [],
  question: ({ locale, words }, { timeoutSeconds, saveAs }) => {
    const time = waitText(locale, timeoutSeconds)
    return [
      ...(time === null ? [] : [words.waits(time)]),
      ...(saveAs === undefined ? [] : [words.saves(saveAs)]),
    ]
  },
  lookup: ({ locale }, node) => [lookupLine(locale, node)],
  wait: ({ locale, timeZone, words }, { seconds, until, untilVariable }) => [
    seconds === undefined
      ? words.until(until ? dateOf(locale, timeZone, until) : `⟨${untilVariable}⟩`)
      : words.waits(timeText(locale, seconds)),
  ],
  tag: ({ words, list }, { add, remove }) => [
    ...(add ? [words.adds(list(add))] : []),
    ...(remove ? [words.removes(list(remove))] : []),
  ],
  addToGroup: ({ words, nameOf }, { groupId }) => [words.joins(nameOf(groupId))],
  register: ({ words }, { withdraw, waitingList }) => [
    withdraw ? words.withdraws : words.registers,
    ...(waitingList ? [words.waitsForPlace] : []),
  ],
  handoff: ({ locale, words, keysReply }, { timeoutSeconds }) => [
    words.handsOver(timeText(locale, timeoutSeconds)),
    ...(keysReply ? [words.keysReply] : []),
  ],
  jump: ({ words, list, nameOf }, { scenarioId, variables }) => [
    words.jumps(nameOf(scenarioId)),
    ...(variables ? [words.takes(list(variables))] : []),
  ],
}

/** Where a Lookup goes, and what goes there. */
export function lookupLine(
  locale: Locale,
  { method, url, variables }: Extract<ScenarioNode, { kind: 'lookup' }>,
): string {
  const words = scenarioWords[locale]
  return words.calls(method, url, words.callsWith(variables.join(kitWords[locale].comma)))
}

/** What starts a version by itself. */
export function triggerLines(locale: Locale, { triggers }: Pick<ScenarioContent, 'triggers'>): string[] {
  const words = scenarioWords[locale]
  const lines = [
    ...(triggers?.follow ? [words.follow] : []),
    ...(triggers?.otherwise ? [words.otherwise] : []),
    ...(triggers?.keywords ?? []).map((keyword) => words.keyword(keyword)),
  ]
  return lines.length > 0 ? lines : [words.noTriggers]
}

/** Everything about one node as lines, to be compared with another version of it: texts, what it does, where it leads. */
export function comparedSections(reading: Reading, graph: Graph, node: ScenarioNode): string[][] {
  const { locale, names } = reading
  const words = scenarioWords[locale]
  const texts = textsOf([node]).map(({ messages }) => mapTexts(messages, withNames))
  const ways = waysFrom(locale, graph, node).map(({ when, to }) => words.leads(when || words.cases.done, to))
  return [
    [words.kinds[node.kind]],
    ...locales.map((language) => textsIn(texts, language)),
    settingsIn(texts, (id) => names.get(id) ?? id),
    nodeLines(reading, node),
    ways,
  ]
}

/**
 * The first words of what a node says or does, for its box in the picture. Of a variable with filters they have the name
 * alone: the text below the picture has all of it.
 */
export function firstWords(reading: Reading, node: ScenarioNode): string {
  const [nodeText] = textsOf([node])
  const [text] = nodeText ? spokenTexts(mapTexts(nodeText.messages, withNames), reading.locale) : []
  return (text && withShortVariables(text)) ?? nodeLines(reading, node)[0] ?? ''
}

function withShortVariables(text: string): string {
  return replaceBetween(text, ['{{', '}}'], (variable) => {
    const [, name] = /^\{\{ *([\w.-]+) *\|/.exec(variable) ?? []
    return name === undefined ? variable : `⟨${name}⟩`
  })
}

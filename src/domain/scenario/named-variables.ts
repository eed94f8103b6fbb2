import { isOneOf, personFields, reservedVariables } from '../../contract/enums.ts'
import { broken, type Issue } from '../../contract/rules.ts'
import type { ScenarioContent } from '../../contract/scenarios/content.ts'
import type { ScenarioEdge, ScenarioNode } from '../../contract/scenarios/graph.ts'
import type { Violation } from '../audience/audience.ts'
import { firstName, namesIn } from '../content/text-names.ts'
import { mapTexts } from '../content/texts.ts'
import { edgesFrom, leadsTo, reachable } from './edges.ts'
import { textsOf } from './node-texts.ts'

/** The fields of `person` that do not exist: a text that names one could never be sent. */
export function unknownPersonFields(nodes: readonly ScenarioNode[]): Issue[] {
  return eachText(nodes, ({ names, at }) =>
    unique(names.read).flatMap((path) => {
      const [name, field] = path.split('.')
      if (name !== 'person' || field === undefined || names.defined.has(name)) return []
      if (isOneOf(personFields, field)) return []
      return [{ path: at, ...broken('unknown_name', { value: field, values: personFields }) }]
    }),
  )
}

/**
 * The names in the texts of a version that may have no value: nothing in it declares or saves them, or what saves them
 * may be passed by. After a Lookup, whose answer may have any name, only those that look like a slip of one that is
 * known.
 */
export function nameWarnings({ nodes, edges, variables = [] }: Named): Violation[] {
  const saving = nodes.flatMap((node) =>
    node.kind === 'question' && node.saveAs ? [{ name: node.saveAs, question: node.id }] : [],
  )
  const saved = Map.groupBy(saving, ({ name }) => name)
  const declared = new Map(variables.map((variable) => [variable.name, variable]))
  const next = new Map(nodes.map((node) => [node.id, leadsTo({ nodes, edges }, node)]))
  const mayBeLookedUp = new Set(
    nodes.flatMap(({ id, kind }) => (kind === 'lookup' ? [...reachable(next, id)] : [])),
  )
  const reached = new Map<string, Set<string>>()
  const mayPassBy = (name: string, node: string) => {
    const questions = (saved.get(name) ?? []).map(({ question }) => question)
    if (!reached.has(name)) reached.set(name, withoutAnswer(next, edges, questions))
    return reached.get(name)!.has(node)
  }
  return eachText(nodes, ({ node, names, at }) =>
    unique(names.read.map(firstName)).flatMap((name) => {
      if (isOneOf(reservedVariables, name) || names.defined.has(name)) return []
      const variable = declared.get(name)
      if (!variable && !saved.has(name)) {
        const meant = [...declared.keys(), ...saved.keys()].find((candidate) => isNear(name, candidate))
        return meant !== undefined || !mayBeLookedUp.has(node.id) ? [unknown(at, name, meant)] : []
      }
      const isNeeded = names.printed.some((path) => firstName(path) === name) && !names.tested.has(name)
      if (!isNeeded) return []
      const isGiven = variable && (variable.required || variable.default !== undefined)
      const isSaved = saved.has(name) && !mayPassBy(name, node.id)
      return isGiven || isSaved ? [] : [mayBeEmpty(at, name)]
    }),
  )
}

type Named = Pick<ScenarioContent, 'nodes' | 'edges' | 'variables'>
type Text = { node: ScenarioNode; names: ReturnType<typeof namesIn>; at: string }

function eachText<Finding>(nodes: readonly ScenarioNode[], find: (text: Text) => Finding[]): Finding[] {
  const findings: Finding[] = []
  for (const { node, messages, at } of textsOf(nodes))
    mapTexts({ messages }, (text, path) => {
      findings.push(...find({ node, names: namesIn(text), at: at(path) }))
      return text
    })
  return findings
}

/** The nodes to which a run can come although none of these questions was answered. */
function withoutAnswer(
  next: ReadonlyMap<string, string[]>,
  edges: readonly ScenarioEdge[],
  questions: readonly string[],
): Set<string> {
  const passedBy = questions.map((question): [string, string[]] => {
    const unanswered = edgesFrom(edges, question).filter(
      ({ when }) => when?.kind === 'timeout' || when?.kind === 'error',
    )
    return [question, unanswered.map(({ to }) => to)]
  })
  const [start = ''] = next.keys()
  return reachable(new Map([...next, ...passedBy]), start).add(start)
}

/** `meant`: the name that it may be a slip of. */
function unknown(path: string, name: string, meant: string | undefined): Violation {
  const advice =
    meant === undefined
      ? {
          'zh-TW': '請檢查名稱是否打錯，或在 variables 宣告。',
          en: 'Check the spelling, or declare it in variables.',
        }
      : { 'zh-TW': `您是指「${meant}」嗎？`, en: `Did you mean ${meant}?` }
  return {
    path,
    code: 'unknown_variable',
    message: {
      'zh-TW': `這個情境沒有宣告或儲存「${name}」；沒有值時，流程會在這裡走 error 連線或以失敗結束。${advice['zh-TW']}`,
      en: `Nothing in this scenario declares or saves ${name}. Without a value the run takes the error edge here, or fails. ${advice.en}`,
    },
  }
}

function mayBeEmpty(path: string, name: string): Violation {
  return {
    path,
    code: 'may_be_empty',
    message: {
      'zh-TW': `「${name}」在這裡可能沒有值，這個位置就會是空白。請設定預設值，或用 {% if ${name} %} 包住這段文字。`,
      en: `${name} may have no value here, and its place stays empty. Give it a default, or put the text into {% if ${name} %}.`,
    },
  }
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}

/**
 * Whether two names differ by one slip of the keyboard: a letter too many, too few, or another one, or two that changed
 * places.
 */
export function isNear(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1 || long.length < 3) return false
  let from = 0
  while (from < short.length && short[from] === long[from]) from++
  if (short.length < long.length) return short.slice(from) === long.slice(from + 1)
  const rest = short.slice(from + 1) === long.slice(from + 1)
  const swapped =
    short[from] === long[from + 1] &&
    short[from + 1] === long[from] &&
    short.slice(from + 2) === long.slice(from + 2)
  return rest || swapped
}

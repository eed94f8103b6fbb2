import { isOneOf, personFields, reservedVariables } from '../../contract/enums.ts'
import type { ScenarioContent } from '../../contract/scenarios/content.ts'
import type { ScenarioEdge, ScenarioNode } from '../../contract/scenarios/graph.ts'
import type { Violation } from '../audience/audience.ts'
import { firstName, namesIn } from '../content/text-names.ts'
import { mapTexts } from '../content/texts.ts'
import { isNear } from '../lib/is-near.ts'
import { edgesFrom, leadsTo } from './edges.ts'
import { textsOf } from './node-texts.ts'

/** A field of the person that no text can read, where it stands. */
type UnknownField = { path: string; message: string }

/** The fields of `person` that do not exist: a text that names one could never be sent. */
export function unknownPersonFields(nodes: readonly ScenarioNode[]): UnknownField[] {
  return eachText(nodes, ({ names, at }) =>
    unique(names.read).flatMap((path) => {
      const [name, field] = path.split('.')
      if (name !== 'person' || field === undefined || names.defined.has(name)) return []
      if (isOneOf(personFields, field)) return []
      return [{ path: at, message: `must not name person.${field}: person has ${personFields.join(', ')}` }]
    }),
  )
}

/**
 * The names in the texts of a version that may have no value: nothing in it declares or saves them, or what saves them may be
 * passed by. After a Lookup, whose answer may have any name, only those that look like a slip of one that is known.
 */
export function nameWarnings({ nodes, edges, variables = [] }: Named): Violation[] {
  const saved = new Map(
    nodes.flatMap((node) => (node.kind === 'question' && node.saveAs ? [[node.saveAs, node.id]] : [])),
  )
  const declared = new Map(variables.map((variable) => [variable.name, variable]))
  const lookups = nodes.flatMap((node) => (node.kind === 'lookup' ? leadsTo({ nodes, edges }, node) : []))
  const mayBeLookedUp = reachedFrom(lookups, nodes, (node) => leadsTo({ nodes, edges }, node))
  const reached = new Map<string, Set<string>>()
  const mayPassBy = (question: string, node: string) => {
    if (!reached.has(question)) reached.set(question, withoutAnswer(nodes, edges, question))
    return reached.get(question)!.has(node)
  }
  return eachText(nodes, ({ node, names, at }) =>
    unique(names.read.map(firstName)).flatMap((name) => {
      if (isOneOf(reservedVariables, name) || names.defined.has(name)) return []
      const variable = declared.get(name)
      const question = saved.get(name)
      if (!variable && question === undefined) {
        const meant = [...declared.keys(), ...saved.keys()].find((known) => isNear(name, known))
        return meant !== undefined || !mayBeLookedUp.has(node.id) ? [unknown(at, name, meant)] : []
      }
      const isNeeded = names.printed.some((path) => firstName(path) === name) && !names.tested.has(name)
      if (!isNeeded) return []
      const isGiven = variable && (variable.required || variable.default !== undefined)
      const isSaved = question !== undefined && !mayPassBy(question, node.id)
      return isGiven || isSaved ? [] : [mayBeEmpty(at, name)]
    }),
  )
}

type Named = Pick<ScenarioContent, 'nodes' | 'edges' | 'variables'>
type Text = { node: ScenarioNode; names: ReturnType<typeof namesIn>; at: string }

function eachText<Found>(nodes: readonly ScenarioNode[], find: (text: Text) => Found[]): Found[] {
  const found: Found[] = []
  for (const { node, messages, at } of textsOf(nodes))
    mapTexts({ messages }, (text, path) => {
      found.push(...find({ node, names: namesIn(text), at: at(path) }))
      return text
    })
  return found
}

/** The nodes to which a run can come although a question was not answered, or was never asked. */
function withoutAnswer(nodes: ScenarioNode[], edges: ScenarioEdge[], question: string): Set<string> {
  const others = edges.filter(
    ({ from, when }) => from !== question || when?.kind === 'timeout' || when?.kind === 'error',
  )
  return reachedFrom(
    nodes.slice(0, 1).map(({ id }) => id),
    nodes,
    (node) =>
      node.id === question
        ? edgesFrom(others, node.id).map(({ to }) => to)
        : leadsTo({ nodes, edges: others }, node),
  )
}

/** The nodes to which these lead, themselves included. */
function reachedFrom(
  begin: readonly string[],
  nodes: readonly ScenarioNode[],
  waysOf: (node: ScenarioNode) => string[],
): Set<string> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const reached = new Set<string>()
  const open = [...begin]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = byId.get(id)
    if (reached.has(id) || !node) continue
    reached.add(id)
    open.push(...waysOf(node))
  }
  return reached
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

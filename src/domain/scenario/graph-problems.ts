import {
  type EdgeKind,
  type GraphRule,
  isOneOf,
  type NodeKind,
  type RegisterResult,
  reservedNames,
} from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { EdgeCase, Graph, ScenarioEdge, ScenarioNode } from '../../contract/scenarios/graph.ts'
import { isOpenTag } from '../audience/open-tag.ts'
import { actionGroups } from '../content/actions.ts'
import { edgesFrom, leadsTo, reachable } from './edges.ts'
import { graphTexts } from './graph-texts.ts'
import { optionsOf } from './question.ts'

/** One thing that is wrong with a graph: at a node, or at an edge. */
export type GraphProblem = {
  rule: GraphRule
  node?: string
  edge?: ScenarioEdge
  message: LocalisedText
}

/** Where a graph is used: `register` belongs to a pattern's scenario, tags of any namespace to administrative units. */
export type GraphPlace = { pattern: boolean; administrative: boolean; variables: readonly string[] }

/** Everything that is wrong with a graph, all at once: first its nodes, then its edges, then how they lead on. */
export function graphProblems(graph: Graph, place: GraphPlace): GraphProblem[] {
  return [
    ...reservedAmong(place.variables).map((name) => problem('reserved_name', {}, { name })),
    ...duplicateNodes(graph.nodes),
    ...graph.nodes.flatMap((node) => nodeProblems(graph, node, place)),
    ...graph.edges.flatMap((edge) => edgeProblems(graph, edge)),
    ...wayProblems(graph),
  ]
}

function problem(
  rule: GraphRule,
  at: { node?: string; edge?: ScenarioEdge },
  names: Record<string, string> = {},
): GraphProblem {
  return { rule, ...at, message: graphTexts[rule](names) }
}

function duplicateNodes(nodes: ScenarioNode[]): GraphProblem[] {
  const ids = nodes.map(({ id }) => id)
  const duplicates = ids.filter((id, index) => ids.indexOf(id) !== index)
  return [...new Set(duplicates)].map((node) => problem('duplicate_node', { node }))
}

function nodeProblems(graph: Graph, node: ScenarioNode, place: GraphPlace): GraphProblem[] {
  const at = { node: node.id }
  return [
    ...reservedAmong(namesSetBy(node)).map((name) => problem('reserved_name', at, { name })),
    ...misplaced(node, place).map((what) => problem('wrong_place', at, { what })),
    ...(node.kind === 'question' ? questionProblems(graph, node) : []),
    ...exitProblems(graph, node),
  ]
}

function reservedAmong(names: readonly string[]): string[] {
  return names.filter((name) => isOneOf(reservedNames, name))
}

/** Variables that a node sets, or sends beside those that Carillon sends itself. */
function namesSetBy(node: ScenarioNode): readonly string[] {
  switch (node.kind) {
    case 'question':
      return node.saveAs === undefined ? [] : [node.saveAs]
    case 'lookup':
      return node.variables
    case 'jump':
      return node.variables ?? []
    default:
      return []
  }
}

/** What is not allowed in this place: a node, a tag, or a button that leads to a node without asking. */
function misplaced(node: ScenarioNode, { pattern, administrative }: GraphPlace): string[] {
  switch (node.kind) {
    case 'register': {
      const leads = leadingActions(node.waitingList?.messages ?? []).length > 0
      return [...(pattern ? [] : ['register']), ...(leads ? ['nextNode'] : [])]
    }
    case 'tag': {
      const tags = [...(node.add ?? []), ...(node.remove ?? [])]
      return administrative ? [] : tags.filter((tag) => !isOpenTag(tag))
    }
    case 'message':
      return leadingActions(node.messages).length > 0 ? ['nextNode'] : []
    default:
      return []
  }
}

function leadingActions(messages: CanonicalMessage[]): string[] {
  return actionGroups(messages)
    .flat()
    .flatMap(({ action }) => (action.kind === 'nextNode' ? [action.nodeId] : []))
}

type Question = Extract<ScenarioNode, { kind: 'question' }>

function questionProblems({ nodes, edges }: Graph, { id, message }: Question): GraphProblem[] {
  const at = { node: id }
  const options = optionsOf(message)
  const ids = options.map((option) => option.id)
  const own = edgesFrom(edges, id)
  const known = new Set(nodes.map((node) => node.id))
  const chosen = new Set(own.flatMap(({ when }) => (when?.kind === 'option' ? [when.optionId] : [])))
  const all = own.some(({ when }) => when?.kind === 'otherwise')
  const twice = ids.filter((option, index) => ids.indexOf(option) !== index)
  return [
    ...[...new Set(twice)].map((option) => problem('duplicate_option', at, { option })),
    ...options.flatMap(({ nodeId }) =>
      nodeId === undefined || known.has(nodeId) ? [] : [problem('unknown_node', at, { to: nodeId })],
    ),
    ...(ids.length === 0 && !own.some(({ when }) => when?.kind === 'text') ? [problem('no_answer', at)] : []),
    ...(all ? [] : options)
      .filter((option) => option.nodeId === undefined && !chosen.has(option.id))
      .map((option) => problem('missing_edge', at, { case: `option ${option.id}` })),
  ]
}

/** Without a case, the edge is followed when the node is done. */
type Exit = EdgeKind | 'done'

/** The edges that a node of each kind may have, and those that it must have. */
const exits: { [kind in NodeKind]: { may: readonly Exit[]; must: readonly Exit[] } } = {
  message: { may: ['done', 'error'], must: ['done'] },
  question: { may: ['option', 'otherwise', 'text', 'timeout', 'error'], must: ['timeout'] },
  lookup: { may: ['done', 'error'], must: ['done', 'error'] },
  branch: { may: ['equals', 'oneOf', 'atLeast', 'atMost', 'exists', 'otherwise'], must: ['otherwise'] },
  wait: { may: ['done', 'error'], must: ['done'] },
  tag: { may: ['done'], must: ['done'] },
  addToGroup: { may: ['done', 'error'], must: ['done'] },
  register: { may: ['result'], must: [] },
  handoff: { may: ['done', 'timeout'], must: ['done', 'timeout'] },
  jump: { may: ['error'], must: [] },
  end: { may: [], must: [] },
}

function exitProblems({ edges }: Graph, node: ScenarioNode): GraphProblem[] {
  const at = { node: node.id }
  const own = edgesFrom(edges, node.id)
  const leads = own.length > 0 || (node.kind === 'question' && leadingActions([node.message]).length > 0)
  if (!leads && node.kind !== 'end' && node.kind !== 'jump') return [problem('dead_end', at)]
  const present = new Set(own.map(({ when }) => exitOf(when)))
  const must = isVariableWait(node) ? [...exits.wait.must, 'error' as const] : exits[node.kind].must
  const missing = must.filter((exit) => !present.has(exit))
  const results = new Set(own.flatMap(({ when }) => (when?.kind === 'result' ? [when.result] : [])))
  return [
    ...missing.map((exit) => problem('missing_edge', at, { case: exit })),
    ...resultsOf(node)
      .filter((result) => !results.has(result))
      .map((result) => problem('missing_edge', at, { case: `result ${result}` })),
  ]
}

/** A variable may hold no instant. */
function isVariableWait(node: ScenarioNode): boolean {
  return node.kind === 'wait' && node.untilVariable !== undefined
}

/** The ways in which a `register` node can end. */
function resultsOf(node: ScenarioNode): RegisterResult[] {
  if (node.kind !== 'register') return []
  if (node.withdraw) return ['withdrawn', 'closed']
  return ['registered', 'full', 'closed', ...(node.waitingList ? ['withdrawn' as const] : [])]
}

function exitOf(when: EdgeCase | undefined): Exit {
  return when?.kind ?? 'done'
}

function edgeProblems(graph: Graph, edge: ScenarioEdge): GraphProblem[] {
  const from = graph.nodes.find(({ id }) => id === edge.from)
  const unknown = [edge.from, edge.to].filter((id) => !graph.nodes.some((node) => node.id === id))
  return [
    ...unknown.map((to) => problem('unknown_node', { edge }, { to })),
    ...(from ? caseProblems(graph, from, edge) : []),
  ]
}

function caseProblems({ edges }: Graph, from: ScenarioNode, edge: ScenarioEdge): GraphProblem[] {
  const { when } = edge
  if (!exits[from.kind].may.includes(exitOf(when)) || isResultOfOther(from, when))
    return [problem('wrong_edge', { edge }, { kind: from.kind, case: caseName(when) })]
  const earlier = edgesFrom(edges, from.id)
  const first = earlier.find((other) => caseName(other.when) === caseName(when))
  if (first !== edge) return [problem('duplicate_edge', { edge }, { case: caseName(when) })]
  if (from.kind !== 'question' || when?.kind !== 'option') return []
  const option = optionsOf(from.message).find(({ id }) => id === when.optionId)
  if (!option) return [problem('unknown_option', { edge }, { option: when.optionId })]
  return option.nodeId === undefined ? [] : [problem('duplicate_edge', { edge }, { case: caseName(when) })]
}

function isResultOfOther(from: ScenarioNode, when: EdgeCase | undefined): boolean {
  return when?.kind === 'result' && !resultsOf(from).includes(when.result)
}

/** Two edges of a node with the same name are for one case. */
function caseName(when: EdgeCase | undefined): string {
  if (!when) return 'done'
  const { kind, ...of } = when
  return [
    kind,
    ...Object.values(of).map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
  ].join(' ')
}

/** Nodes on a circle, and nodes to which no way leads from the start. */
function wayProblems(graph: Graph): GraphProblem[] {
  const next = new Map(graph.nodes.map((node) => [node.id, leadsTo(graph, node)]))
  const [start] = graph.nodes
  const fromStart = new Set([start!.id, ...reachable(next, start!.id)])
  return [...next.keys()].flatMap((node) => [
    ...(reachable(next, node).has(node) ? [problem('cycle', { node })] : []),
    ...(fromStart.has(node) ? [] : [problem('unreachable', { node })]),
  ])
}

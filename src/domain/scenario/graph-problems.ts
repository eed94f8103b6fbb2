import { type GraphRule, isOneOf, reservedNames } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { EdgeCase, Graph, ScenarioEdge, ScenarioNode } from '../../contract/scenarios/graph.ts'
import { edgesFrom, leadsTo, reachable } from './edges.ts'
import { graphTexts } from './graph-texts.ts'
import { type Exit, type GraphContext, leadingActions, rulesOf } from './node-kinds.ts'
import { optionsOf } from './question.ts'

/** One thing that is wrong with a graph: at a node, or at an edge. */
export type GraphProblem = {
  rule: GraphRule
  node?: string
  edge?: ScenarioEdge
  message: LocalisedText
}

/** Everything that is wrong with a graph, all at once: first its nodes, then its edges, then how they lead on. */
export function graphProblems(graph: Graph, context: GraphContext): GraphProblem[] {
  return [
    ...reservedAmong(context.variables).map((name) => problem('reserved_name', {}, { name })),
    ...duplicateNodes(graph.nodes),
    ...graph.nodes.flatMap((node) => nodeProblems(graph, node, context)),
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

function nodeProblems(graph: Graph, node: ScenarioNode, context: GraphContext): GraphProblem[] {
  const rules = rulesOf(node)
  const at = { node: node.id }
  return [
    ...reservedAmong(rules.names(node)).map((name) => problem('reserved_name', at, { name })),
    ...rules.misplaced(node, context).map((what) => problem('wrong_place', at, { what })),
    ...(node.kind === 'question' ? questionProblems(graph, node) : []),
    ...exitProblems(graph, node),
  ]
}

/** In any case: a reader of what a Lookup sends may ignore it, and take `Uid` for the uid. */
function reservedAmong(names: readonly string[]): string[] {
  return names.filter((name) => isOneOf(reservedNames, name.toLowerCase()))
}

type Question = Extract<ScenarioNode, { kind: 'question' }>

function questionProblems({ nodes, edges }: Graph, { id, message }: Question): GraphProblem[] {
  const at = { node: id }
  const options = optionsOf(message)
  const ids = options.map((option) => option.id)
  const own = edgesFrom(edges, id)
  const nodeIds = new Set(nodes.map((node) => node.id))
  const chosen = new Set(own.flatMap(({ when }) => (when?.kind === 'option' ? [when.optionId] : [])))
  const all = own.some(({ when }) => when?.kind === 'otherwise')
  const twice = ids.filter((option, index) => ids.indexOf(option) !== index)
  return [
    ...[...new Set(twice)].map((option) => problem('duplicate_option', at, { option })),
    ...options.flatMap(({ nodeId }) =>
      nodeId === undefined || nodeIds.has(nodeId) ? [] : [problem('unknown_node', at, { to: nodeId })],
    ),
    ...(ids.length === 0 && !own.some(({ when }) => when?.kind === 'text') ? [problem('no_answer', at)] : []),
    ...(all ? [] : options)
      .filter((option) => option.nodeId === undefined && !chosen.has(option.id))
      .map((option) => problem('missing_edge', at, { case: `option ${option.id}` })),
  ]
}

function exitProblems({ edges }: Graph, node: ScenarioNode): GraphProblem[] {
  const at = { node: node.id }
  const own = edgesFrom(edges, node.id)
  const leads = own.length > 0 || (node.kind === 'question' && leadingActions([node.message]).length > 0)
  const rules = rulesOf(node)
  if (!leads && !rules.ends) return [problem('dead_end', at)]
  const present = new Set(own.map(({ when }) => exitOf(when)))
  const missing = rules.must(node).filter((exit) => !present.has(exit))
  const results = new Set(own.flatMap(({ when }) => (when?.kind === 'result' ? [when.result] : [])))
  return [
    ...missing.map((exit) => problem('missing_edge', at, { case: exit })),
    ...rules
      .results(node)
      .filter((result) => !results.has(result))
      .map((result) => problem('missing_edge', at, { case: `result ${result}` })),
  ]
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
  if (!rulesOf(from).may.includes(exitOf(when)) || isResultOfOther(from, when))
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
  return when?.kind === 'result' && !rulesOf(from).results(from).includes(when.result)
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

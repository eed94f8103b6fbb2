import type { Graph, ScenarioEdge, ScenarioNode } from '../../contract/scenarios/graph.ts'
import { optionsOf } from './question.ts'

/** The edges that leave a node, in their order. */
export function edgesFrom(edges: readonly ScenarioEdge[], node: string): ScenarioEdge[] {
  return edges.filter(({ from }) => from === node)
}

/** The nodes that a node leads to: by its edges, and by the `nextNode` actions of a question. */
export function leadsTo({ edges }: Graph, node: ScenarioNode): string[] {
  const chosen = node.kind === 'question' ? optionsOf(node.message) : []
  return [
    ...edgesFrom(edges, node.id).map(({ to }) => to),
    ...chosen.flatMap(({ nodeId }) => (nodeId === undefined ? [] : [nodeId])),
  ]
}

/** The nodes to which ways lead from a node; itself only if it is on a circle. `next`: the nodes that each leads to. */
export function reachable(next: Map<string, string[]>, from: string): Set<string> {
  const nodes = new Set<string>()
  const open = [...(next.get(from) ?? [])]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (nodes.has(node)) continue
    nodes.add(node)
    open.push(...(next.get(node) ?? []))
  }
  return nodes
}

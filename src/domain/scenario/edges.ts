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

import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { ScenarioNode } from '../../contract/scenarios/graph.ts'
import { type ActionReference, jumpedScenarios } from '../content/actions.ts'
import { rulesOf } from './node-kinds.ts'

/**
 * What one node says, and where it stands: `at` turns a path into its messages (`messages[0].text`) into one of the
 * body.
 */
type NodeText = { node: ScenarioNode; messages: CanonicalMessage[]; at: (path: string) => string }

/** What the nodes of a graph say, in their order. Nodes that say nothing are left out. */
export function textsOf(nodes: readonly ScenarioNode[]): NodeText[] {
  return nodes.flatMap((node, index): NodeText[] => {
    const text = rulesOf(node).texts(node)
    return text ? [{ node, messages: text.messages, at: (path) => `nodes[${index}].${text.at(path)}` }] : []
  })
}

/** The scenarios that nodes and buttons of a graph lead to, with the paths of their fields in the body. */
export function jumpTargets(nodes: readonly ScenarioNode[]): ActionReference[] {
  const jumps = nodes.flatMap((node, index) =>
    node.kind === 'jump' ? [{ path: `nodes[${index}].scenarioId`, id: node.scenarioId }] : [],
  )
  const buttons = textsOf(nodes).flatMap(({ messages, at }) =>
    jumpedScenarios(messages).map(({ path, id }) => ({ path: at(path), id })),
  )
  return [...jumps, ...buttons]
}

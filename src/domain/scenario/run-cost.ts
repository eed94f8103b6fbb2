import { limits } from '../../contract/limits.ts'
import type { Graph, ScenarioNode } from '../../contract/scenarios/graph.ts'
import { edgesFrom, leadsTo } from './edges.ts'

/**
 * How many turns one run says at most, if the same channels carry all that it says: on the way through the graph that says
 * the most. Each is one push in the chat, or one mail; an answer to what the person has just said costs nothing. The graph
 * has no problems (`graphProblems`); what a jump begins is not counted.
 */
export function turnsAtMost(graph: Graph): number {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  const known = new Map<string, number>()
  /** From the entry of a node, with so many messages in the turn that is open; 0: none is. */
  const from = (id: string, open: number): number => {
    const key = `${open} ${id}`
    const found = known.get(key)
    if (found !== undefined) return found
    const node = nodes.get(id)!
    const { turns, open: left } = told(graph, node, open)
    const rest = leadsTo(graph, node).map((next) => from(next, left))
    const most = turns + Math.max(0, ...rest)
    known.set(key, most)
    return most
  }
  return from(graph.nodes[0]!.id, 0)
}

/** The turns that a node begins, and the messages in the turn that is open behind it. */
function told(graph: Graph, node: ScenarioNode, open: number): { turns: number; open: number } {
  switch (node.kind) {
    case 'message':
    case 'question': {
      const count = node.kind === 'message' ? node.messages.length : 1
      const joins = open > 0 && open + count <= limits.messagesPerTurn
      const ends =
        node.kind === 'question' || edgesFrom(graph.edges, node.id).some(({ when }) => when?.kind === 'error')
      return { turns: joins ? 0 : 1, open: ends ? 0 : joins ? open + count : count }
    }
    case 'branch':
      return { turns: 0, open }
    case 'register':
      return { turns: node.waitingList ? 1 : 0, open: 0 }
    default:
      return { turns: 0, open: 0 }
  }
}

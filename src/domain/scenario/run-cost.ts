import { limits } from '../../contract/limits.ts'
import type { Graph, ScenarioNode } from '../../contract/scenarios/graph.ts'
import { edgesFrom, leadsTo } from './edges.ts'

/** What one run costs at most in turns, and at most before it jumps to each other scenario. */
type RunCost = { turns: number; before: ReadonlyMap<string, number> }

/**
 * How many turns one run says at most, if the same channels carry all that it says: on the way through the graph that says
 * the most. Each is one push in the chat, or one mail; an answer to what the person has just said costs nothing. The graph
 * has no problems (`graphProblems`); what a jump begins is counted by `startCost`.
 */
export function turnsAtMost(graph: Graph): number {
  return runCost(graph).turns
}

/** What one run says at most, in all and before each of its jumps, by the scenario that the jump leads to. */
export function runCost(graph: Graph): RunCost {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  const costs = new Map<string, RunCost>()
  /** From the entry of a node, with so many messages in the turn that is open; 0: none is. */
  const from = (id: string, open: number): RunCost => {
    const key = `${open} ${id}`
    const existing = costs.get(key)
    if (existing !== undefined) return existing
    const node = nodes.get(id)!
    const { turns, open: left } = turnsAt(graph, node, open)
    const cost = costOf(
      node,
      turns,
      leadsTo(graph, node).map((next) => from(next, left)),
    )
    costs.set(key, cost)
    return cost
  }
  return from(graph.nodes[0]!.id, 0)
}

/** The cost from the entry of a node that begins so many turns, with that of the ways behind it. */
function costOf(node: ScenarioNode, turns: number, rest: RunCost[]): RunCost {
  const before = new Map<string, number>()
  if (node.kind === 'jump') before.set(node.scenarioId.toLowerCase(), turns)
  for (const way of rest)
    for (const [to, most] of way.before) before.set(to, Math.max(before.get(to) ?? 0, turns + most))
  return { turns: turns + Math.max(0, ...rest.map((way) => way.turns)), before }
}

/** The turns that a node begins, and the messages in the turn that is open behind it. */
function turnsAt(graph: Graph, node: ScenarioNode, open: number): { turns: number; open: number } {
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

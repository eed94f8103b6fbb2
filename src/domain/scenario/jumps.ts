import type { Graph, ScenarioEdge, ScenarioNode } from '../../contract/scenarios/graph.ts'
import { edgesFrom } from './edges.ts'
import { runCost } from './run-cost.ts'

/**
 * A jump of a version. `turns`: what is said at most before it is taken. `unattended`: whether some way leads to it on
 * which the person answers nothing.
 */
type Jump = { to: string; turns: number; unattended: boolean }

/** How a version leads on: what one run of it says at most, in turns, and its jumps, one for each scenario. */
export type Jumps = { turns: number; jumps: Jump[] }

/** Why a run takes no jump to a scenario through which it has come since the person last said something. */
export const jumpCircle = 'jump_circle'

/** How a graph without problems (`graphProblems`) leads on. It is kept with the version: a graph may be large. */
export function jumpsOf(graph: Graph): Jumps {
  const { turns, before } = runCost(graph)
  const unattended = unattendedJumps(graph)
  return {
    turns,
    jumps: [...before].map(([to, most]) => ({ to, turns: most, unattended: unattended.has(to) })),
  }
}

/** The scenarios to which a graph jumps on a way without an answer of the person. */
function unattendedJumps(graph: Graph): Set<string> {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  const visits = new Set<string>()
  const targets = new Set<string>()
  const open = [graph.nodes[0]!.id]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = nodes.get(id)
    if (!node || visits.has(id)) continue
    visits.add(id)
    if (node.kind === 'jump') targets.add(node.scenarioId.toLowerCase())
    open.push(
      ...edgesFrom(graph.edges, id)
        .filter((edge) => !isAnswer(node, edge))
        .map(({ to }) => to),
    )
  }
  return targets
}

/** Whether an edge is followed because the person answered. */
function isAnswer({ kind }: ScenarioNode, { when }: ScenarioEdge): boolean {
  return kind === 'question' && when?.kind !== 'timeout' && when?.kind !== 'error'
}

/**
 * The scenarios of a circle of jumps that comes back to `id` without an answer of the person, in order from `id` on; null:
 * there is none. `others`: the scenarios that may be jumped to; `id` itself is as `own` says.
 */
export function unattendedCircle(
  id: string,
  own: Jumps,
  others: ReadonlyMap<string, Jumps>,
): string[] | null {
  const cameFrom = new Map<string, string>()
  const open = [id]
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    for (const { to, unattended } of (at === id ? own : others.get(at))?.jumps ?? []) {
      if (!unattended) continue
      if (to === id) return wayTo(at, id, cameFrom)
      if (cameFrom.has(to)) continue
      cameFrom.set(to, at)
      open.push(to)
    }
  }
  return null
}

function wayTo(last: string, id: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [last]
  for (let at = last; at !== id; ) {
    at = cameFrom.get(at)!
    way.unshift(at)
  }
  return way
}

/**
 * What one start costs at most, in turns, with everything that its jumps begin. `loops`: the answers of the person may
 * lead round in a circle of scenarios, of which `maxTurns` counts one round; each further one costs again.
 */
export type StartCost = { maxTurns: number; loops: boolean }

/** What a start of `id` costs at most, where it is as `own` says and the others as `others` say. */
export function startCost(id: string, own: Jumps, others: ReadonlyMap<string, Jumps>): StartCost {
  const jumpsAt = (at: string) => (at === id ? own : others.get(at))
  const circles = circlesFrom(id, (at) => (jumpsAt(at)?.jumps ?? []).map(({ to }) => to))
  const costs = new Map<string, StartCost>()
  // A circle comes after all that it leads to.
  for (const { members, round } of circles) {
    const after = members.flatMap((at) =>
      (jumpsAt(at)?.jumps ?? [])
        .filter(({ to }) => !members.includes(to))
        .map((jump) => ({ before: jump.turns, ...costs.get(jump.to)! })),
    )
    const own = members.reduce((sum, at) => sum + (jumpsAt(at)?.turns ?? 0), 0)
    const ways = after.map(({ before, maxTurns }) => (round ? own : before) + maxTurns)
    const cost = {
      maxTurns: Math.max(own, ...ways),
      loops: round || after.some(({ loops }) => loops),
    }
    for (const at of members) costs.set(at, cost)
  }
  return costs.get(id)!
}

/** Scenarios that lead to one another; a single one is a `round` if it leads to itself. */
type Circle = { members: string[]; round: boolean }

/** The circles that can be reached, each after those that it leads to (Tarjan's strongly connected components). */
function circlesFrom(start: string, nextOf: (id: string) => string[]): Circle[] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: Circle[] = []
  const visit = (id: string): void => {
    order.set(id, order.size)
    lowest.set(id, order.get(id)!)
    open.push(id)
    const next = nextOf(id)
    for (const to of next) {
      if (!order.has(to)) {
        visit(to)
        lowest.set(id, Math.min(lowest.get(id)!, lowest.get(to)!))
      } else if (open.includes(to)) lowest.set(id, Math.min(lowest.get(id)!, order.get(to)!))
    }
    if (lowest.get(id) !== order.get(id)) return
    const members = open.splice(open.indexOf(id))
    circles.push({ members, round: members.length > 1 || next.includes(id) })
  }
  visit(start)
  return circles
}

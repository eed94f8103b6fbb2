import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Graph } from '../../../../src/contract/scenarios/graph.ts'
import { leadsTo } from '../../../../src/domain/scenario/edges.ts'
import { jumpsOf, startCost, unattendedCircle } from '../../../../src/domain/scenario/jumps.ts'
import { turnsAtMost } from '../../../../src/domain/scenario/run-cost.ts'
import { ask, chain, edge, end, option, say, soundGraphs } from './graphs.ts'

const jump = (id: string, scenarioId: string) => ({ id, kind: 'jump' as const, scenarioId })
const saysAndJumps = (to: string): Graph => chain(say('a', '1'), jump('j', to))

/** Asks, and jumps after the answer, the time-out, or both. */
function asksAndJumps(to: string, after: ('answer' | 'timeout')[]): Graph {
  return {
    nodes: [ask('q', ['yes']), jump('j', to), end],
    edges: [
      edge('q', after.includes('answer') ? 'j' : 'end', option('yes')),
      edge('q', after.includes('timeout') ? 'j' : 'end', { kind: 'timeout' }),
    ],
  }
}

const allJumps = (graphs: Record<string, Graph>) =>
  new Map(Object.entries(graphs).map(([id, graph]) => [id, jumpsOf(graph)] as const))
const circleIn = (graphs: Record<string, Graph>) =>
  unattendedCircle('a', jumpsOf(graphs.a!), allJumps(graphs))
const costIn = (graphs: Record<string, Graph>) => startCost('a', jumpsOf(graphs.a!), allJumps(graphs))

describe('a circle of jumps', () => {
  it.each([
    ['a scenario that jumps to itself', { a: saysAndJumps('a') }, ['a']],
    ['two that jump to one another', { a: saysAndJumps('b'), b: saysAndJumps('a') }, ['a', 'b']],
    ['a time-out that leads back', { a: asksAndJumps('a', ['timeout']) }, ['a']],
    ['an answer and a time-out that lead back', { a: asksAndJumps('a', ['answer', 'timeout']) }, ['a']],
    ['an answer that leads back', { a: asksAndJumps('a', ['answer']) }, null],
    ['an answer on the way', { a: saysAndJumps('b'), b: asksAndJumps('a', ['answer']) }, null],
    ['a circle of others', { a: saysAndJumps('b'), b: saysAndJumps('c'), c: saysAndJumps('b') }, null],
    ['a jump to a scenario that is not there', { a: saysAndJumps('x') }, null],
  ])('%s', (_, graphs: Record<string, Graph>, circle) => {
    expect(circleIn(graphs)).toEqual(circle)
  })

  it('is found if and only if the start is reached again without an answer', () => {
    fc.assert(
      fc.property(scenarios, (graphs) => {
        expect(circleIn(graphs) !== null).toBe(comesBack(graphs))
      }),
      { numRuns: 300 },
    )
  })
})

describe('the cost of a start', () => {
  it('counts what is said behind its jumps', () => {
    expect(costIn({ a: saysAndJumps('b'), b: saysAndJumps('c'), c: chain(say('a', '1'), end) })).toEqual({
      maxTurns: 3,
      loops: false,
    })
  })

  it('counts one round of a circle that answers keep going, and says that there may be more', () => {
    const circle = { a: saysAndJumps('b'), b: asksAndJumps('a', ['answer']) }
    expect(costIn(circle)).toEqual({ maxTurns: 2, loops: true })
    const before = { a: saysAndJumps('b'), b: asksAndJumps('b', ['answer']) }
    expect(costIn(before)).toEqual({ maxTurns: 2, loops: true })
  })

  it('is that of the way through all scenarios that says the most', () => {
    fc.assert(
      fc.property(scenarios, (graphs) => {
        const cost = costIn(graphs)
        if (cost.loops) expect(cost.maxTurns).toBeGreaterThanOrEqual(turnsAtMost(graphs.a!))
        else expect(cost.maxTurns).toBe(Math.max(...joined(graphs)))
      }),
      { numRuns: 300 },
    )
  })
})

/** Up to four scenarios that jump to one another, to themselves and to one that is not there. */
const scenarios: fc.Arbitrary<Record<string, Graph>> = fc
  .array(fc.tuple(soundGraphs, fc.array(fc.nat(5), { minLength: 1 })), { minLength: 1, maxLength: 4 })
  .map((drawn) =>
    Object.fromEntries(drawn.map(([graph, targets], at) => ['abcd'[at]!, withJumps(graph, targets)])),
  )

/** The graph with a jump in the place of each tag. */
function withJumps({ nodes, edges }: Graph, targets: number[]): Graph {
  const tags = nodes.filter(({ kind }) => kind === 'tag').map(({ id }) => id)
  return {
    nodes: nodes.map((node, at) =>
      tags.includes(node.id) ? jump(node.id, 'abcdex'[targets[at % targets.length]!]!) : node,
    ),
    edges: edges.map((one) => (tags.includes(one.from) ? edge(one.from, one.to, { kind: 'error' }) : one)),
  }
}

/** Whether a way without an answer comes back to the start of a, followed node by node through all scenarios. */
function comesBack(graphs: Record<string, Graph>): boolean {
  const visits = new Set<string>()
  const visit = (scenario: string, id: string): boolean => {
    const graph = graphs[scenario]
    const node = graph?.nodes.find((one) => one.id === id)
    if (!graph || !node || visits.has(`${scenario} ${id}`)) return false
    visits.add(`${scenario} ${id}`)
    if (node.kind === 'jump') {
      if (node.scenarioId === 'a') return true
      const next = graphs[node.scenarioId]
      if (next && visit(node.scenarioId, next.nodes[0]!.id)) return true
    }
    return graph.edges
      .filter(({ from, when }) => from === id && !(node.kind === 'question' && when?.kind !== 'timeout'))
      .some(({ to }) => visit(scenario, to))
  }
  return visit('a', graphs.a!.nodes[0]!.id)
}

/** What the scenarios say that can be reached, each way as one graph in which a jump is an edge. */
function joined(graphs: Record<string, Graph>): number[] {
  const all: Graph = { nodes: [], edges: [] }
  const visits = new Set<string>()
  const add = (scenario: string): void => {
    const graph = graphs[scenario]
    if (!graph || visits.has(scenario)) return
    visits.add(scenario)
    const named = (id: string) => `${scenario} ${id}`
    for (const node of graph.nodes) {
      // A turn ends at a jump, as it does at a wait.
      const there = node.kind === 'jump' ? { kind: 'wait' as const, seconds: 1 } : node
      all.nodes.push({ ...there, id: named(node.id) } as Graph['nodes'][number])
      for (const to of leadsTo(graph, node)) all.edges.push(edge(named(node.id), named(to)))
      const next = node.kind === 'jump' ? graphs[node.scenarioId] : undefined
      if (node.kind !== 'jump' || !next) continue
      add(node.scenarioId)
      all.edges.push(edge(named(node.id), `${node.scenarioId} ${next.nodes[0]!.id}`))
    }
    for (const { from, when } of graph.edges)
      if (when?.kind === 'error') for (const one of all.edges) if (one.from === named(from)) one.when = when
  }
  add('a')
  return [turnsAtMost(all)]
}

import fc from 'fast-check'
import type { EdgeCase, Graph, ScenarioEdge, ScenarioNode } from '../../../../src/contract/scenarios/graph.ts'

/** Short ways to write the nodes and edges of a scenario in a test. */

export const text = (zh: string, en?: string) => ({
  kind: 'text' as const,
  text: { 'zh-TW': zh, ...(en !== undefined && { en }) },
})
export const say = (id: string, ...texts: string[]): ScenarioNode => ({
  ...{ id, kind: 'message' },
  messages: texts.map((one) => text(one)),
})
export const ask = (id: string, options: string[], saveAs?: string): ScenarioNode => ({
  ...{ id, kind: 'question', timeoutSeconds: 60 },
  message: {
    ...{ kind: 'quickReply', text: { 'zh-TW': `${id}？` } },
    options: options.map((option) => ({ id: option, label: { 'zh-TW': `${option}！`, en: `${option}!` } })),
  },
  ...(saveAs !== undefined && { saveAs }),
})
export const end: ScenarioNode = { id: 'end', kind: 'end' }
export const edge = (from: string, to: string, when?: EdgeCase): ScenarioEdge => ({
  ...{ from, to },
  ...(when && { when }),
})
export const option = (optionId: string): EdgeCase => ({ kind: 'option', optionId })

/** A graph of nodes one after the other, as far as they are left by a plain edge. */
export function chain(...nodes: ScenarioNode[]): Graph {
  return { nodes, edges: nodes.slice(1).map((node, at) => edge(nodes[at]!.id, node.id)) }
}

/** Graphs without a problem: of nodes `n0` to `end`, each with an edge to a later one for each of its cases. */
export const soundGraphs: fc.Arbitrary<Graph> = fc
  .array(
    fc.record({
      kind: fc.constantFrom('message', 'failing', 'question', 'branch', 'lookup', 'wait', 'tag', 'handoff'),
      count: fc.integer({ min: 1, max: 5 }),
      far: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((shapes) => {
    const idOf = (at: number) => (at < shapes.length ? `n${at}` : 'end')
    const nodes = shapes.map(({ kind, count }, at) => soundNode(idOf(at), kind, count))
    const edges = nodes.flatMap((node, at) =>
      casesOf(node, shapes[at]!.kind).map((when, which) => {
        // The first case leads to the next node, so that every node is reached.
        const far = which === 0 ? 0 : shapes[at]!.far[which]! % (shapes.length - at)
        return edge(node.id, idOf(at + 1 + far), when)
      }),
    )
    return { nodes: [...nodes, end], edges }
  })

function soundNode(id: string, kind: string, count: number): ScenarioNode {
  switch (kind) {
    case 'question':
      return ask(id, ['yes', 'no'].slice(0, count))
    case 'branch':
      return { id, kind }
    case 'lookup':
      return { id, kind, method: 'GET', url: 'https://example.edu/lookup', variables: ['x'] }
    case 'wait':
      return { id, kind, seconds: count }
    case 'tag':
      return { id, kind, add: ['interest:robotics'] }
    case 'handoff':
      return { id, kind, timeoutSeconds: count }
    default:
      return say(id, ...Array.from({ length: count }, (_, n) => `${id}.${n}`))
  }
}

function casesOf(node: ScenarioNode, kind: string): (EdgeCase | undefined)[] {
  switch (node.kind) {
    case 'question':
      return [{ kind: 'otherwise' }, { kind: 'timeout' }, { kind: 'text' }]
    case 'branch':
      return [{ kind: 'otherwise' }, { kind: 'equals', variable: 'x', value: 1 }]
    case 'lookup':
      return [undefined, { kind: 'error' }]
    case 'handoff':
      return [undefined, { kind: 'timeout' }]
    default:
      return kind === 'failing' ? [undefined, { kind: 'error' }] : [undefined]
  }
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EdgeCase, Graph, ScenarioNode } from '../../../../src/contract/scenarios/graph.ts'
import { graphProblems } from '../../../../src/domain/scenario/graph-problems.ts'
import type { GraphContext } from '../../../../src/domain/scenario/node-kinds.ts'
import { ask, chain, edge, end, option, say, soundGraphs } from './graphs.ts'

const place: GraphContext = { pattern: false, administrative: false, variables: [] }
/** The problems of a graph, each with where it is. */
const problemsIn = (graph: Graph, at: Partial<GraphContext> = {}) =>
  graphProblems(graph, { ...place, ...at }).map(
    ({ rule, node, edge: way }) => `${rule} ${node ?? (way ? `${way.from}>${way.to}` : '')}`,
  )

/** A start, a question and an end without a problem, with these nodes and edges more. */
function around(nodes: ScenarioNode[], edges: Graph['edges'] = []): Graph {
  return {
    nodes: [say('start', 'x'), ask('q', ['yes', 'no']), end, ...nodes],
    edges: [
      edge('start', 'q'),
      edge('q', 'end', option('yes')),
      edge('q', 'end', option('no')),
      edge('q', 'end', { kind: 'timeout' }),
      ...edges,
    ],
  }
}

it('a graph may have no problem', () => {
  expect(problemsIn(around([]))).toEqual([])
})

describe('problems are', () => {
  it('two nodes with one id', () => {
    expect(problemsIn(around([{ id: 'end', kind: 'end' }]))).toEqual(['duplicate_node end'])
  })

  it('edges from and to nodes that do not exist', () => {
    const graph = around([], [edge('q', 'x', { kind: 'text' }), edge('y', 'end')])
    expect(problemsIn(graph)).toEqual(['unknown_node q>x', 'unknown_node y>end'])
  })

  it('every node on a circle, and none beside it', () => {
    const graph = around(
      [say('a', 'x'), say('b', 'x'), say('c', 'x')],
      [edge('q', 'a', { kind: 'text' }), edge('a', 'b'), edge('b', 'a'), edge('c', 'c')],
    )
    expect(problemsIn(graph)).toEqual(['cycle a', 'cycle b', 'cycle c', 'unreachable c'])
  })

  it('nodes that nothing leads to, or that lead nowhere', () => {
    expect(problemsIn(around([say('a', 'x')]))).toEqual(['dead_end a', 'unreachable a'])
  })

  it('cases without an edge', () => {
    const graph: Graph = {
      nodes: [
        { id: 'b', kind: 'branch' },
        { id: 'l', kind: 'lookup', method: 'GET', url: 'https://example.edu', variables: [] },
        { id: 'h', kind: 'handoff', timeoutSeconds: 1 },
        { id: 'w', kind: 'wait', untilVariable: 'x' },
        ask('q', ['yes', 'no']),
        end,
      ],
      edges: [
        edge('b', 'l', { kind: 'exists', variable: 'x' }),
        edge('l', 'h'),
        edge('h', 'w'),
        edge('w', 'q'),
        edge('q', 'end', option('yes')),
      ],
    }
    expect(problemsIn(graph)).toEqual(['b', 'l', 'h', 'w', 'q', 'q'].map((id) => `missing_edge ${id}`))
  })

  it.each<[string, EdgeCase | undefined, string]>([
    ['a plain edge beside the answers of a question', undefined, 'wrong_edge q>end'],
    ['a condition of a branch at a question', { kind: 'exists', variable: 'x' }, 'wrong_edge q>end'],
    ['a second edge for one option', option('yes'), 'duplicate_edge q>end'],
    ['an option that the question does not have', option('maybe'), 'unknown_option q>end'],
  ])('%s', (_, when, problem) => {
    expect(problemsIn(around([], [edge('q', 'end', when)]))).toEqual([problem])
  })

  it('two conditions that are the same, but not those about another value', () => {
    const equals = (value: string | number): EdgeCase => ({ kind: 'equals', variable: 'x', value })
    const graph = chain({ id: 'b', kind: 'branch' }, end)
    const cases: EdgeCase[] = [{ kind: 'otherwise' }, equals(1), equals('one'), equals(1)]
    graph.edges = cases.map((when) => edge('b', 'end', when))
    expect(problemsIn(graph)).toEqual(['duplicate_edge b>end'])
  })

  it('an edge for an option whose button leads on itself', () => {
    const label = { 'zh-TW': '往下' }
    const graph = around([
      {
        ...{ id: 'b', kind: 'question', timeoutSeconds: 1 },
        message: {
          ...{ kind: 'buttons', text: label },
          actions: [
            { kind: 'nextNode', label, nodeId: 'end' },
            { kind: 'nextNode', label, nodeId: 'nowhere', optionId: 'x' },
          ],
        },
      },
    ])
    graph.edges.push(
      edge('q', 'b', { kind: 'text' }),
      edge('b', 'end', { kind: 'timeout' }),
      edge('b', 'end', option('end')),
    )
    expect(problemsIn(graph)).toEqual(['unknown_node b', 'duplicate_edge b>end'])
  })

  it('a question that cannot be answered, or with two options of one id', () => {
    const silent: ScenarioNode = {
      ...{ id: 'silent', kind: 'question', timeoutSeconds: 1 },
      message: { kind: 'text', text: { 'zh-TW': '？' } },
    }
    const graph = around(
      [silent, ask('double', ['a', 'a'])],
      [
        edge('q', 'silent', { kind: 'text' }),
        edge('silent', 'double', { kind: 'timeout' }),
        edge('double', 'end', { kind: 'otherwise' }),
        edge('double', 'end', { kind: 'timeout' }),
      ],
    )
    expect(problemsIn(graph)).toEqual(['no_answer silent', 'duplicate_option double'])
  })

  it('a registration outside a pattern, and tags that belong to administrative units', () => {
    const graph = chain(
      { id: 't', kind: 'tag', add: ['interest:a', 'cohort:2026'] },
      { id: 'r', kind: 'register' },
    )
    graph.nodes.push(end)
    graph.edges.push(
      ...(['registered', 'full', 'closed'] as const).map((result) =>
        edge('r', 'end', { kind: 'result', result }),
      ),
    )
    expect(problemsIn(graph)).toEqual(['wrong_place t', 'wrong_place r'])
    expect(problemsIn(graph, { pattern: true, administrative: true })).toEqual([])
    graph.edges.push(edge('r', 'end', { kind: 'result', result: 'withdrawn' }))
    expect(problemsIn(graph, { pattern: true, administrative: true })).toEqual(['wrong_edge r>end'])
  })

  it('buttons that lead to a node where nothing is asked', () => {
    const label = { 'zh-TW': '往下' }
    const actions = [{ kind: 'nextNode' as const, label, nodeId: 'end' }]
    const buttons: ScenarioNode = {
      ...{ id: 'b', kind: 'message' },
      messages: [{ kind: 'buttons', text: label, actions }],
    }
    expect(problemsIn(chain(buttons, end))).toEqual(['wrong_place b'])
  })

  it('names that Carillon fills itself', () => {
    const graph = chain(ask('q', ['yes'], 'person'), end)
    graph.edges = [edge('q', 'end', { kind: 'otherwise' }), edge('q', 'end', { kind: 'timeout' })]
    expect(problemsIn(graph, { variables: ['course', 'answers'] })).toEqual([
      'reserved_name ',
      'reserved_name q',
    ])
  })

  it('names that a reader who ignores case would take for those', () => {
    const look: ScenarioNode = {
      ...{ id: 'l', kind: 'lookup', method: 'POST', url: 'https://sis.example.edu/orders' },
      variables: ['Uid', 'UID', 'uidNumber', 'Lookup_Error'],
    }
    const graph = chain(look, end)
    graph.edges.push(edge('l', 'end', { kind: 'error' }))
    expect(problemsIn(graph)).toEqual(['reserved_name l', 'reserved_name l', 'reserved_name l'])
  })
})

it('each problem says in both languages what to do', () => {
  const [problem] = graphProblems(around([], [edge('q', 'end', option('maybe'))]), place)
  expect(problem!.message).toEqual({
    'zh-TW': '這個問題沒有「maybe」這個選項。請改用題目中的選項代碼。',
    en: 'The question has no option maybe. Use the id of an existing option.',
  })
})

it('removing any edge or node of a sound graph is a problem', () => {
  fc.assert(
    fc.property(soundGraphs, fc.nat(), ({ nodes, edges }, at) => {
      const without = edges.filter((_, index) => index !== at % edges.length)
      const optional = edges[at % edges.length]!.when
      if (optional && ['error', 'text', 'equals'].includes(optional.kind)) return
      expect(problemsIn({ nodes, edges: without })).not.toEqual([])
      expect(problemsIn({ nodes: nodes.slice(0, -1), edges })).not.toEqual([])
    }),
    { numRuns: 300 },
  )
})

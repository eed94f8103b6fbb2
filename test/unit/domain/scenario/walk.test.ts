import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Graph, ScenarioNode } from '../../../../src/contract/scenarios/graph.ts'
import { graphProblems } from '../../../../src/domain/scenario/graph-problems.ts'
import type { RunValues } from '../../../../src/domain/scenario/values.ts'
import {
  type Outcome,
  type Position,
  type Stop,
  type Walk,
  walk,
} from '../../../../src/domain/scenario/walk.ts'
import { speech } from '../../../fixtures/speech.ts'
import { ask, chain, edge, end, option, say, soundGraphs } from './graphs.ts'

const now = Date.parse('2026-12-01T09:00:00+08:00')
const around = {
  ...{ person: { displayName: '王小明', locale: 'zh-TW', stage: 'member' }, subject: 's', pattern: null },
}
const nothing: RunValues = { variables: {}, answers: {}, lookupError: null }

/** The way of a run from its start, or from a node with an outcome. */
function walked(graph: Graph, at?: Position, values: Partial<RunValues> = {}): Walk {
  return walk(graph, at ?? { node: graph.nodes[0]!.id }, { ...nothing, ...values }, around, now, speech)
}
const path = ({ steps, stop }: Walk) => [...steps.map(({ node }) => node), stop.node]
const texts = (stop: Stop) =>
  stop.kind === 'say' || stop.kind === 'ask'
    ? stop.says.flatMap(({ messages }) =>
        messages.map((one) => (one.kind === 'text' ? one.text['zh-TW'] : one.kind)),
      )
    : []

describe('a run says', () => {
  it('messages in a row at once, with the question behind them', () => {
    const graph = chain(say('a', '1', '2'), say('b', '3'), ask('q', ['yes']))
    const { stop, ...rest } = walked(graph)
    expect(path({ stop, ...rest })).toEqual(['a', 'b', 'q'])
    expect(texts(stop)).toEqual(['1', '2', '3', 'quickReply'])
    expect(stop).toMatchObject({ kind: 'ask', node: 'q', timeoutSeconds: 60, options: [{ id: 'yes' }] })
  })

  it('at most five messages at once, and the others after them', () => {
    const graph = chain(say('a', '1', '2', '3'), say('b', '4', '5'), say('c', '6'), end)
    const first = walked(graph)
    expect(texts(first.stop)).toEqual(['1', '2', '3', '4', '5'])
    expect(path(first)).toEqual(['a', 'b'])
    const second = walked(graph, { node: 'b', outcome: { kind: 'done' } })
    expect(texts(second.stop)).toEqual(['6'])
    expect(path(walked(graph, { node: 'c', outcome: { kind: 'done' } }))).toEqual(['c', 'end'])
  })

  it('what comes before a wait, a Lookup or the end before it goes on', () => {
    const wait: ScenarioNode = { id: 'w', kind: 'wait', seconds: 60 }
    const graph = chain(say('a', '1'), wait, say('b', '2'), end)
    expect(walked(graph).stop).toMatchObject({ kind: 'say', node: 'a' })
    expect(walked(graph, { node: 'a', outcome: { kind: 'done' } }).stop).toEqual({
      ...{ kind: 'wait', node: 'w', until: now + 60_000 },
    })
  })

  it('a node that may fail as the last of its turn', () => {
    const graph = chain(say('a', '1'), say('b', '2'), say('c', '3'), end)
    graph.edges.push(edge('b', 'end', { kind: 'error' }))
    expect(walked(graph).stop).toMatchObject({ kind: 'say', node: 'b' })
    expect(path(walked(graph, { node: 'b', outcome: { kind: 'error', reason: 'noConsent' } }))).toEqual([
      ...['b', 'end'],
    ])
  })

  it('texts with its variables, the person, the answers and an error of a Lookup', () => {
    const graph = chain(
      say('a', '{{ course }} {{ person.displayName }} {{ answers.q }} {{ lookup_error }}'),
      end,
    )
    const values = { variables: { course: '微積分' }, answers: { q: 'yes' }, lookupError: 'timeout' as const }
    expect(texts(walked(graph, undefined, values).stop)).toEqual(['微積分 王小明 yes timeout'])
  })

  it('an empty place for what is optional and has no value: a declared variable, an answer that was not given', () => {
    const text = '[{{ nick }}{{ day | default: "soon" }}{% if lookup_error %}!{% endif %}]'
    const question = { ...ask('q', ['yes']), saveAs: 'day' } as ScenarioNode
    const graph: Graph = {
      ...chain(say('a', text), question, end),
      variables: [{ name: 'nick', required: false }],
    }
    expect(texts(walked(graph).stop)[0]).toBe('[soon]')
  })

  it('nothing that lacks a variable: it takes the edge for errors, or fails after what was said', () => {
    const graph = chain(say('a', '1'), say('b', '{{ missing }}'), end)
    expect(walked(graph).stop).toMatchObject({ kind: 'say', node: 'a', says: [{ node: 'a' }] })
    expect(walked(graph, { node: 'a', outcome: { kind: 'done' } }).stop).toMatchObject({
      ...{ kind: 'failed', node: 'b', reason: 'missing_variable' },
      faults: [{ path: 'nodes[1].messages[0].text.zh-TW', variable: 'missing' }],
    })
    graph.edges.push(edge('b', 'end', { kind: 'error' }))
    expect(path(walked(graph, { node: 'a', outcome: { kind: 'done' } }))).toEqual(['a', 'b', 'end'])
  })

  describe('where channels carry different nodes', () => {
    const graph = chain(say('a', 'a'), say('b', 'b'), say('c', 'c'), end)
    /** `mail`: only mail carries it; `none`: nothing does. */
    const told = (at: Position, { mail = '', none = '' }) =>
      walk(graph, at, nothing, around, now, {
        ...speech,
        channelsFor: (says) => {
          if (says.some(({ node }) => node === none)) return { reason: 'content_violation', faults: [] }
          return says.some(({ node }) => node === mail) ? ['email'] : ['chat', 'email']
        },
      }).stop

    it('each with those that the same channels carry', () => {
      expect(told({ node: 'a' }, { mail: 'b' })).toMatchObject({ kind: 'say', says: [{ node: 'a' }] })
      const second = told({ node: 'a', outcome: { kind: 'done' } }, { mail: 'b' })
      expect(second).toMatchObject({ kind: 'say', says: [{ node: 'b' }] })
      expect(told({ node: 'a' }, { mail: 'c' })).toMatchObject({ says: [{ node: 'a' }, { node: 'b' }] })
    })

    it('what comes before the one that none carries, which alone is an error', () => {
      expect(told({ node: 'a' }, { none: 'b' })).toMatchObject({ kind: 'say', says: [{ node: 'a' }] })
      expect(told({ node: 'a' }, { none: 'a' })).toEqual({
        ...{ kind: 'failed', node: 'a', reason: 'content_violation', faults: [] },
      })
      graph.edges.push(edge('b', 'c', { kind: 'error' }))
      expect(told({ node: 'a' }, { none: 'b' })).toMatchObject({ says: [{ node: 'a' }, { node: 'c' }] })
    })
  })

  it('nothing that cannot be rendered', () => {
    const graph = chain(say('a', '{{ order }}'), end)
    expect(walked(graph, undefined, { variables: { order: {} } }).stop).toMatchObject({
      ...{ kind: 'failed', reason: 'content_violation' },
    })
  })
})

describe('a run goes on', () => {
  const question: Graph = {
    nodes: [ask('q', ['yes', 'no'], 'coming'), say('a', '{{ coming }}'), say('b', 'b'), end],
    edges: [
      edge('q', 'a', option('yes')),
      edge('q', 'b', { kind: 'otherwise' }),
      edge('q', 'end', { kind: 'timeout' }),
      edge('q', 'a', { kind: 'text' }),
      edge('a', 'b'),
      edge('b', 'end'),
    ],
  }

  it.each<[string, Outcome, string]>([
    ['by the edge of the option', { kind: 'option', optionId: 'yes' }, 'a'],
    ['by otherwise for an option without one', { kind: 'option', optionId: 'no' }, 'b'],
    ['by the edge for texts', { kind: 'text', text: '好' }, 'a'],
    ['when the time is over', { kind: 'timeout' }, 'end'],
  ])('%s', (_, outcome, to) => {
    expect(walked(question, { node: 'q', outcome }).steps[0]).toMatchObject({ node: 'q', to })
  })

  it('with the answer as a variable, and among the answers', () => {
    const { values, stop } = walked(question, { node: 'q', outcome: { kind: 'text', text: '好' } })
    expect(values).toMatchObject({ variables: { coming: '好' }, answers: { q: '好' } })
    expect(texts(stop)).toEqual(['好', 'b'])
  })

  it('where a button of the question leads', () => {
    const label = { 'zh-TW': '往下' }
    const graph: Graph = {
      nodes: [
        {
          ...{ id: 'q', kind: 'question', timeoutSeconds: 60 },
          message: {
            ...{ kind: 'buttons', text: { 'zh-TW': '？' } },
            actions: [{ kind: 'nextNode', label, nodeId: 'end' }],
          },
        },
        end,
      ],
      edges: [edge('q', 'end', { kind: 'timeout' })],
    }
    const { steps, stop } = walked(graph, { node: 'q', outcome: { kind: 'option', optionId: 'end' } })
    expect(steps).toEqual([{ node: 'q', edge: null, to: 'end' }])
    expect(stop.kind).toBe('end')
  })

  it('with what is kept of the answer of a Lookup as variables', () => {
    const graph = chain(
      { id: 'l', kind: 'lookup', method: 'POST', url: 'https://example.edu/', variables: ['id', 'other'] },
      say('a', '{{ course }}'),
    )
    graph.edges.push(edge('l', 'a', { kind: 'error' }))
    expect(walked(graph, undefined, { variables: { id: 7 } }).stop).toMatchObject({ variables: { id: 7 } })
    const fields = { course: '微積分', lookup: { person: 'x' } }
    const result = walked(graph, { node: 'l', outcome: { kind: 'found', fields } }, { lookupError: 'status' })
    expect(result.values).toEqual({ ...nothing, variables: fields })
    const failed = walked(graph, { node: 'l', outcome: { kind: 'notFound', error: 'size' } })
    expect(failed.values.lookupError).toBe('size')
  })

  it('without waiting for a time that is over, and by the edge for errors where there is none', () => {
    const wait: ScenarioNode = { id: 'w', kind: 'wait', untilVariable: 'course.start' }
    const graph = chain(wait, end)
    graph.nodes.push(say('late', 'x'))
    graph.edges.push(edge('w', 'late', { kind: 'error' }), edge('late', 'end'))
    const startingAt = (start: unknown) => walked(graph, undefined, { variables: { course: { start } } })
    expect(startingAt('2026-12-01T08:59:00+08:00').stop.kind).toBe('end')
    expect(startingAt('2026-12-01T09:01+08:00').stop).toMatchObject({ kind: 'wait', until: now + 60_000 })
    expect(startingAt('2027-12-02T09:00:00+08:00').stop.kind).toBe('wait')
    expect(startingAt('2027-12-02T09:00:01+08:00').stop).toMatchObject({ kind: 'say', node: 'late' })
    expect(startingAt('2026-12-31T09:00+08:00').stop.kind).toBe('wait')
    expect(startingAt('2027-02-29T09:00+08:00').stop).toMatchObject({ kind: 'say', node: 'late' })
    expect(startingAt('tomorrow').stop).toMatchObject({ kind: 'say', node: 'late' })
    expect(startingAt(undefined).stop).toMatchObject({ kind: 'say', node: 'late' })
  })
})

/** Outcomes that a stop can have, chosen by a number. */
function outcomeOf(stop: Stop, choice: number): Outcome {
  const mayFail: Outcome[] = [{ kind: 'done' }, { kind: 'error', reason: 'noConsent' }]
  const outcomes: { [kind in Stop['kind']]?: Outcome[] } = {
    say: mayFail,
    ask: [
      { kind: 'option', optionId: stop.kind === 'ask' ? stop.options[choice % stop.options.length]!.id : '' },
      { kind: 'timeout' },
      { kind: 'text', text: 'x' },
    ],
    lookup: [
      { kind: 'found', fields: { x: choice % 2 } },
      { kind: 'notFound', error: 'timeout' },
    ],
    handoff: [{ kind: 'done' }, { kind: 'timeout' }],
  }
  const possible = outcomes[stop.kind] ?? [{ kind: 'done' }]
  return possible[choice % possible.length]!
}

describe('every run of a graph without problems', () => {
  it('ends, and visits each node at most once, whatever happens to it', () => {
    fc.assert(
      fc.property(soundGraphs, fc.infiniteStream(fc.nat()), (graph, choices) => {
        expect(graphProblems(graph, { pattern: false, administrative: false, variables: [] })).toEqual([])
        const { visited, said: speakers } = runThrough(graph, choices)
        expect(new Set(visited).size).toBe(visited.length)
        expect(speakers).toEqual(visited.filter((id) => speaks(graph, id)))
      }),
      { numRuns: 500 },
    )
  })
})

/** The nodes that a run visits, and those that say something, until it ends or fails. */
function runThrough(graph: Graph, choices: Iterator<number>) {
  const visited: string[] = []
  const speakers: string[] = []
  let position: Position = { node: graph.nodes[0]!.id }
  let values = nothing
  for (;;) {
    const { steps, stop, ...rest } = walk(graph, position, values, around, now, speech)
    values = rest.values
    // A node that was stopped at is visited when it is left.
    visited.push(...steps.map(({ node }) => node))
    if (stop.kind === 'say' || stop.kind === 'ask') {
      expect(stop.says.flatMap(({ messages }) => messages).length).toBeLessThanOrEqual(5)
      speakers.push(...stop.says.map(({ node }) => node))
    }
    if (stop.kind === 'end') return { visited, said: speakers }
    if (stop.kind === 'failed') return { visited: [...visited, stop.node], said: speakers }
    position = { node: stop.node, outcome: outcomeOf(stop, choices.next().value ?? 0) }
  }
}

function speaks({ nodes }: Graph, id: string): boolean {
  return nodes.some((node) => node.id === id && (node.kind === 'message' || node.kind === 'question'))
}

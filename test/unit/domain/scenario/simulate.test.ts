import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Graph, ScenarioNode } from '../../../../src/contract/scenarios/graph.ts'
import { type Render, render as renderWith } from '../../../../src/domain/content/render.ts'
import { renderMeter } from '../../../../src/domain/content/render-steps.ts'
import type { DeliverableChannels } from '../../../../src/domain/scenario/deliverable-channels.ts'
import { leadsTo } from '../../../../src/domain/scenario/edges.ts'
import {
  type Simulation,
  type SimulationInput,
  type SimulationWorld,
  simulate,
} from '../../../../src/domain/scenario/simulate.ts'
import { render, speech } from '../../../fixtures/speech.ts'
import { ask, chain, edge, end, option, say, soundGraphs } from './graphs.ts'

const now = Date.parse('2026-12-01T09:00:00+08:00')
const world = (parts: Partial<SimulationWorld> = {}): SimulationWorld => ({
  context: { person: { displayName: null, locale: 'zh-TW', stage: 'member' }, subject: 's', pattern: null },
  now,
  ...{ speech: { ...speech, channelsFor: () => ['chat'] }, self: 'own' },
  jumpable: ['other'],
  ...parts,
})

function simulated(
  graph: Graph,
  input: Partial<SimulationInput> = {},
  parts: Partial<SimulationWorld> = {},
): Simulation {
  return simulate(graph, { variables: {}, answers: {}, lookups: {}, ...input }, world(parts))
}
const tooLong = {
  ...{ path: 'messages[0].text.zh-TW', code: 'too_long', limit: 9, channel: 'chat' as const },
  message: { 'zh-TW': '太長', en: 'Too long' },
}
const texts = ({ says }: Simulation) =>
  says.flatMap(({ messages }) => messages.map((one) => (one.kind === 'text' ? one.text['zh-TW'] : one.kind)))

const question: Graph = {
  nodes: [ask('q', ['yes', 'no'], 'coming'), say('a', '{{ coming }}'), say('late', 'late'), end],
  edges: [
    edge('q', 'a', { kind: 'otherwise' }),
    edge('q', 'late', { kind: 'timeout' }),
    edge('a', 'end'),
    edge('late', 'end'),
  ],
}

describe('a simulated question', () => {
  it.each([
    ['the id of an option', 'yes', 'yes'],
    ['the label of one', 'NO！', 'no'],
    ['its number', '２', 'no'],
  ])('is answered by %s', (_, answer, saved) => {
    const result = simulated(question, { answers: { q: answer } })
    expect(result).toMatchObject({ path: ['q', 'a', 'end'], variables: { coming: saved } })
    expect(result.ends).toEqual({ state: 'done' })
    expect(texts(result)).toEqual(['quickReply', saved])
  })

  it('stays open for an answer that the next text cannot repeat, as a run asks again', () => {
    const takesText = { ...question, edges: [...question.edges, edge('q', 'a', { kind: 'text' })] }
    const channelsFor: DeliverableChannels = (says) =>
      JSON.stringify(says).includes('長長') ? { reason: 'content_violation', faults: [tooLong] } : ['chat']
    const parts = { speech: { ...speech, channelsFor } }
    expect(simulated(takesText, { answers: { q: '長長' } }, parts)).toMatchObject({
      ...{ path: ['q'], ends: { waits: 'q' }, variables: {} },
      errors: [{ node: 'a', reason: 'content_violation', faults: [{ code: 'too_long' }] }],
    })
    expect(simulated(takesText, { answers: { q: '長' } }, parts).ends).toEqual({ state: 'done' })
  })

  it('is left by a text such as cancel, unless an option is tapped', () => {
    const left = simulated(question, { answers: { q: ' CANCEL ' } })
    expect(left).toMatchObject({ path: ['q'], ends: { state: 'cancelled', reason: 'left' } })
    const tapped = { ...question, nodes: [ask('q', ['stop'], 'coming'), ...question.nodes.slice(1)] }
    expect(simulated(tapped, { answers: { q: 'stop' } }).path).toEqual(['q', 'a', 'end'])
  })

  it('goes on in a scenario that is active alone', () => {
    const jump = (scenarioId: string): Graph => ({
      nodes: [{ id: 'j', kind: 'jump', scenarioId }, say('a', 'a'), end],
      edges: [edge('j', 'a', { kind: 'error' }), edge('a', 'end')],
    })
    expect(simulated(jump('other')).ends).toEqual({ state: 'done', jumpsTo: 'other' })
    expect(simulated(jump('retired')).path).toEqual(['j', 'a', 'end'])
  })

  it('prefers the very id over an option that reads the same', () => {
    const graph = {
      ...question,
      nodes: [ask('q', ['yes', 'YES'], 'coming'), ...question.nodes.slice(1)],
    }
    expect(simulated(graph, { answers: { q: 'YES' } }).variables).toEqual({ coming: 'YES' })
  })

  it('takes the edge for the time-out with null, and waits without an answer', () => {
    expect(simulated(question, { answers: { q: null } }).path).toEqual(['q', 'late', 'end'])
    const waits = simulated(question)
    expect(waits).toMatchObject({ path: ['q'], ends: { waits: 'q' } })
    expect(texts(waits)).toEqual(['quickReply'])
  })

  it('takes a text that is no option by its edge for texts, and waits without one', () => {
    expect(simulated(question, { answers: { q: 'maybe' } }).ends).toEqual({ waits: 'q' })
    const open = { ...question, edges: [...question.edges, edge('q', 'a', { kind: 'text' })] }
    expect(texts(simulated(open, { answers: { q: 'maybe' } }))).toEqual(['quickReply', 'maybe'])
  })

  it('reads no answer from the prototype of the input', () => {
    const graph = chain(ask('constructor', ['yes']), end)
    expect(simulated(graph).ends).toEqual({ waits: 'constructor' })
  })
})

describe('a simulated run', () => {
  it('sets the clock forward where it waits or times out', () => {
    const graph: Graph = {
      nodes: [
        ask('q', ['yes']),
        { id: 'w', kind: 'wait', seconds: 3_600 },
        { id: 'until', kind: 'wait', until: '2026-12-01T10:00:30+08:00' },
        { id: 'later', kind: 'wait', until: '2026-12-02T10:00:00+08:00' },
        end,
      ],
      edges: [
        edge('q', 'end', option('yes')),
        edge('q', 'w', { kind: 'timeout' }),
        edge('w', 'until'),
        edge('until', 'later'),
        edge('later', 'end'),
      ],
    }
    expect(simulated(graph, { answers: { q: null } }).path).toEqual(['q', 'w', 'until', 'later', 'end'])
  })

  it('finds what a Lookup is given, takes its edge for errors with null, and waits otherwise', () => {
    const lookup = {
      ...{ id: 'l', kind: 'lookup' as const, method: 'GET' as const, url: 'https://example.edu/' },
      variables: [] as string[],
    }
    const graph = chain(lookup, say('found', '{{ course }}'), end)
    graph.nodes.push(say('lost', '{{ lookup_error }}'))
    graph.edges.push(edge('l', 'lost', { kind: 'error' }), edge('lost', 'end'))
    const withFields = (fields: Record<string, unknown> | null) =>
      simulated(graph, { lookups: { l: fields } })
    expect(texts(withFields({ course: '微積分', person: 'x' }))).toEqual(['微積分'])
    expect(withFields({ course: '微積分', person: 'x' }).variables).toEqual({
      course: '微積分',
      lookup: { person: 'x' },
    })
    const partly = withFields({ course: 2 ** 53, free: 3 })
    expect(partly.variables).toEqual({ course: null, free: 3 })
    expect(partly.errors).toEqual([{ node: 'l', reason: 'shape', faults: [], fields: ['course'] }])
    expect(partly.path).toEqual(withFields({ course: '微積分' }).path)
    expect(texts(withFields(null))).toEqual(['timeout'])
    expect(simulated(graph).ends).toEqual({ waits: 'l' })
    lookup.variables.push('id')
    const rounded = simulated(graph, { variables: { id: 2 ** 53 }, lookups: { l: { course: '微積分' } } })
    expect(texts(rounded)).toEqual(['shape'])
  })

  it('goes the way of a registration, if the node has that result', () => {
    const register: ScenarioNode = {
      ...{
        id: 'r',
        kind: 'register',
        waitingList: { messages: [{ kind: 'text', text: { 'zh-TW': '候補' } }] },
      },
    }
    const graph: Graph = {
      nodes: [register, say('in', 'in'), end],
      edges: [
        edge('r', 'in', { kind: 'result', result: 'registered' }),
        edge('r', 'end', { kind: 'result', result: 'full' }),
        edge('in', 'end'),
      ],
    }
    expect(simulated(graph, { answers: { r: 'registered' } }).path).toEqual(['r', 'in', 'end'])
    expect(simulated(graph, { answers: { r: 'full' } }).path).toEqual(['r', 'end'])
    const others: SimulationInput['answers'][] = [{}, { r: 'withdrawn' }, { r: null }]
    for (const answers of others) {
      const waits = simulated(graph, { answers })
      expect(waits.ends).toEqual({ waits: 'r' })
      expect(texts(waits)).toEqual(['候補'])
    }
  })

  it('ends a handoff by any answer, and times out with null', () => {
    const graph = chain({ id: 'h', kind: 'handoff', timeoutSeconds: 60 }, say('closed', 'closed'), end)
    graph.edges.push(edge('h', 'end', { kind: 'timeout' }))
    expect(simulated(graph, { answers: { h: 'closed' } }).path).toEqual(['h', 'closed', 'end'])
    expect(simulated(graph, { answers: { h: null } }).path).toEqual(['h', 'end'])
    expect(simulated(graph).ends).toEqual({ waits: 'h' })
  })

  it('passes tags and groups, and ends where it jumps', () => {
    const graph = chain(
      { id: 't', kind: 'tag', add: ['interest:go'] },
      { id: 'g', kind: 'addToGroup', groupId: 'g' },
      { id: 'j', kind: 'jump', scenarioId: 'other' },
    )
    expect(simulated(graph)).toMatchObject({
      ...{ path: ['t', 'g', 'j'], ends: { state: 'done', jumpsTo: 'other' } },
    })
  })

  it('takes the edge for errors of what the channel cannot carry, and says nothing of it', () => {
    const graph = chain(say('a', '1'), say('b', '2'), end)
    const channelsFor: DeliverableChannels = (says) =>
      says.some(({ node }) => node === 'b') ? { reason: 'content_violation', faults: [tooLong] } : ['chat']
    const judged = { render, channelsFor }
    const failed = simulated(graph, {}, { speech: judged })
    const placed = { ...tooLong, path: 'nodes[1].messages[0].text.zh-TW' }
    const errors = [{ node: 'b', reason: 'content_violation', faults: [placed] }]
    expect(failed).toMatchObject({
      ...{ path: ['a', 'b'], ends: { state: 'failed', reason: 'content_violation' }, errors },
    })
    expect(texts(failed)).toEqual(['1'])
    graph.edges.push(edge('b', 'end', { kind: 'error' }))
    expect(simulated(graph, {}, { speech: judged })).toMatchObject({
      ...{ path: ['a', 'b', 'end'], says: [{ node: 'a' }], errors },
    })
  })

  it('fails for a missing variable, after what it said before', () => {
    const graph = chain(say('a', '1'), say('b', '{{ order.id }}', '{{ missing }}'), end)
    const result = simulated(graph, { variables: { order: {} } })
    expect(result).toMatchObject({ path: ['a', 'b'], ends: { state: 'failed', reason: 'missing_variable' } })
    expect(result.errors).toMatchObject([
      {
        ...{ node: 'b', reason: 'missing_variable' },
        faults: [
          { path: 'nodes[1].messages[0].text.zh-TW', code: 'missing_variable', variable: 'order.id' },
          { path: 'nodes[1].messages[1].text.zh-TW', code: 'missing_variable', variable: 'missing' },
        ],
      },
    ])
    expect(texts(result)).toEqual(['1'])
  })

  it('shares the steps of Liquid among all its nodes', () => {
    const costly = '{% for a in (1..9) %}{% for b in (1..9) %}{{ b }}{% endfor %}{% endfor %}'
    const nodes = Array.from({ length: 10 }, (_, n) => say(`n${n}`, `{{ n }}${costly}`))
    const graph = chain(...nodes, end)
    for (const { id } of nodes) graph.edges.push(edge(id, 'end', { kind: 'error' }))
    const within = (steps: number) => {
      const meter = renderMeter(steps)
      const metered: Render = (template, variables, values) =>
        renderWith(template, { variables, values, timeZone: 'UTC' }, meter)
      return simulated(
        graph,
        { variables: { n: 1 } },
        { speech: { render: metered, channelsFor: () => ['chat'] } },
      )
    }
    expect(within(10_000).says).toHaveLength(10)
    const { says, errors } = within(1_000)
    expect(says.length).toBeGreaterThan(0)
    expect(says.length).toBeLessThan(10)
    expect(errors).toMatchObject([{ reason: 'content_violation', faults: [{ code: 'not_renderable' }] }])
  })
})

/** What may be given for the nodes of `soundGraphs`. */
const anyInput = fc.record({
  answers: fc.dictionary(
    fc.integer({ min: 0, max: 11 }).map((n) => `n${n}`),
    fc.option(fc.constantFrom('yes', 'no', '1', 'x', 'closed')),
  ),
  lookups: fc.dictionary(
    fc.integer({ min: 0, max: 11 }).map((n) => `n${n}`),
    fc.option(fc.record({ x: fc.integer({ min: 0, max: 2 }) })),
  ),
  variables: fc.constantFrom({}, { x: 1 }),
})

describe('every simulation of a graph without problems', () => {
  it('takes a path of the graph, visits a node once, and is the same each time', () => {
    fc.assert(
      fc.property(soundGraphs, anyInput, (graph, input) => {
        const result = simulated(graph, input)
        expect(result.path[0]).toBe(graph.nodes[0]!.id)
        expect(new Set(result.path).size).toBe(result.path.length)
        result.path.slice(1).forEach((to, at) => {
          const from = graph.nodes.find(({ id }) => id === result.path[at])!
          expect(leadsTo(graph, from)).toContain(to)
        })
        if ('waits' in result.ends) expect(result.path.at(-1)).toBe(result.ends.waits)
        else expect(result.path.at(-1)).toBe('end')
        expect(simulated(graph, input)).toEqual(result)
      }),
      { numRuns: 500 },
    )
  })
})

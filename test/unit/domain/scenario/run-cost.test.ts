import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Graph } from '../../../../src/contract/scenarios/graph.ts'
import { turnsAtMost } from '../../../../src/domain/scenario/run-cost.ts'
import { type Outcome, type Stop, walk } from '../../../../src/domain/scenario/walk.ts'
import { speech } from '../../../fixtures/speech.ts'
import { ask, chain, edge, end, option, say, soundGraphs } from './graphs.ts'

const around = {
  person: { displayName: null, locale: 'zh-TW', stage: 'member' },
  subject: 's',
  pattern: null,
}

it('counts what is said in a row once, at most five messages at a time', () => {
  expect(turnsAtMost(chain(say('a', '1'), say('b', '2'), end))).toBe(1)
  expect(turnsAtMost(chain(say('a', '1', '2', '3'), say('b', '4', '5', '6'), end))).toBe(2)
})

it('takes the way that says the most', () => {
  const graph: Graph = {
    nodes: [
      ask('q', ['yes', 'no']),
      say('a', '1'),
      { id: 'w', kind: 'wait', seconds: 5 },
      say('b', '2'),
      end,
    ],
    edges: [
      edge('q', 'end', option('no')),
      edge('q', 'a', option('yes')),
      edge('q', 'end', { kind: 'timeout' }),
      edge('a', 'w'),
      edge('w', 'b'),
      edge('b', 'end'),
    ],
  }
  expect(turnsAtMost(graph)).toBe(3)
})

it('is never less than what a run says, whatever is answered', () => {
  fc.assert(
    fc.property(soundGraphs, fc.infiniteStream(fc.nat(9)), (graph, choices) => {
      let turns = 0
      let values = { variables: {}, answers: {}, lookupError: null } as Parameters<typeof walk>[2]
      let from: Parameters<typeof walk>[1] = { node: graph.nodes[0]!.id }
      for (;;) {
        const next = walk(graph, from, values, around, 0, speech)
        values = next.values
        if (next.stop.kind === 'say' || next.stop.kind === 'ask') turns += 1
        const outcome = outcomeOf(next.stop, choices.next().value ?? 0)
        if (!outcome) break
        from = { node: next.stop.node, outcome }
      }
      expect(turns).toBeLessThanOrEqual(turnsAtMost(graph))
    }),
  )
})

function outcomeOf(stop: Stop, choice: number): Outcome | null {
  switch (stop.kind) {
    case 'end':
    case 'failed':
    case 'jump':
      return null
    case 'ask': {
      const chosen = stop.options[choice]
      return chosen ? { kind: 'option', optionId: chosen.id } : { kind: 'timeout' }
    }
    case 'lookup':
      return choice > 4
        ? { kind: 'found', fields: { x: choice % 2 } }
        : { kind: 'notFound', error: 'timeout' }
    case 'handoff':
      return choice > 4 ? { kind: 'done' } : { kind: 'timeout' }
    default:
      return { kind: 'done' }
  }
}

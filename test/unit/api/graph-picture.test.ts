import { expect, it } from 'vitest'
import { graphPicture } from '../../../src/api/pages/approvals/graph-picture.ts'
import type { Graph, ScenarioNode } from '../../../src/contract/scenarios/graph.ts'

const reading = { locale: 'en' as const, timeZone: 'UTC', names: new Map<string, string>() }
const picture = (graph: Graph) => graphPicture(reading, graph).pieces.join('')

it('shows each node with its number, kind and first words, and edges with the words of their cases', () => {
  const nodes: ScenarioNode[] = [
    {
      id: 'ask',
      kind: 'question',
      timeoutSeconds: 3_600,
      message: {
        kind: 'quickReply',
        text: { 'zh-TW': '來嗎？', en: 'Are <you> coming, {{ name }}?' },
        options: [{ id: 'yes', label: { 'zh-TW': '來', en: 'Yes' } }],
      },
    },
    { id: 'over', kind: 'end' },
  ]
  const edges: Graph['edges'] = [
    { from: 'ask', to: 'over', when: { kind: 'option', optionId: 'yes' } },
    { from: 'ask', to: 'over', when: { kind: 'timeout' } },
  ]
  const svg = picture({ nodes, edges })
  expect([...svg.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, words]) => words)).toEqual([
    ...['“Yes”', 'No answer in 1 hour'],
    ...['1 · Question', 'Are &lt;you&gt; coming,', '⟨name⟩?', '2 · End'],
  ])
  expect(svg).toMatch(/<title .*<desc .*2 steps/)
  expect(svg).not.toMatch(/<script|style=|NaN|undefined/)
})

it('has a sentence instead where there is too much to draw', () => {
  const nodes: ScenarioNode[] = Array.from({ length: 200 }, (_, n) => ({ id: `${n}`, kind: 'end' }))
  const chain = nodes.slice(1).map(({ id }, n) => ({ from: `${n}`, to: id }))
  const toEnd = nodes.slice(0, -2).map(({ id }) => ({ from: id, to: '199' }))
  expect(picture({ nodes, edges: [...chain, ...toEnd] })).toContain('too large')
  expect(picture({ nodes, edges: chain })).toContain('<svg')
})

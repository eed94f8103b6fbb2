import { expect, it, vi } from 'vitest'
import { graphPicture } from '../../../src/api/console/facts/graph-picture.ts'
import { limits } from '../../../src/contract/limits.ts'
import type { Graph, ScenarioNode } from '../../../src/contract/scenarios/graph.ts'
import { layOut } from '../../../src/services/layouts/layout-worker.ts'

const reading = { locale: 'en' as const, timeZone: 'UTC', names: new Map<string, string>(), keysReply: false }
const picture = async (graph: Graph) => (await graphPicture(reading, graph, layOut)).pieces.join('')

it('shows each node with its number, kind and first words, and edges with the words of their cases', async () => {
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
  const svg = await picture({ nodes, edges })
  expect([...svg.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, words]) => words)).toEqual([
    ...['“Yes”', 'No answer in 1 hour'],
    ...['1 · Question', 'Are &lt;you&gt; coming,', '⟨name⟩?', '2 · End'],
  ])
  expect(svg).toMatch(/<title .*<desc .*2 steps/)
  expect(svg).not.toMatch(/<script|style=|NaN|undefined/)
})

it('shortens what Liquid does to a variable, and says of no question that it waits for a year', async () => {
  const text = {
    'zh-TW': '開放到 {{ pattern.deadline | date: "%Y" }} 為止',
    en: 'Until {{ day | date: "%Y" }}!',
  }
  const message = { kind: 'quickReply' as const, text, options: [{ id: 'yes', label: text }] }
  const ask = { id: 'ask', kind: 'question' as const, timeoutSeconds: limits.scenarioWaitSeconds, message }
  const when = { kind: 'timeout' as const }
  const svg = await picture({
    nodes: [ask, { id: 'over', kind: 'end' }],
    edges: [{ from: 'ask', to: 'over', when }],
  })
  expect(svg).toContain('>Until ⟨day⟩!<')
  expect(svg).toContain('>Time is over<')
})

const chainOf = (length: number) => {
  const nodes: ScenarioNode[] = Array.from({ length }, (_, n) => ({ id: `${n}`, kind: 'end' }))
  return { nodes, edges: nodes.slice(1).map(({ id }, n) => ({ from: `${n}`, to: id })) }
}

it('writes an edge to a node far below into the box that it leaves, and draws the others', async () => {
  const { nodes, edges } = chainOf(8)
  const timeout = { kind: 'timeout' as const }
  const svg = await picture({
    nodes,
    edges: [...edges, { from: '0', to: '7', when: timeout }, { from: '5', to: '7', when: timeout }],
  })
  expect(svg.match(/class="way"/g)).toHaveLength(8)
  expect(svg).toMatch(/1 · End<\/text><text class="words" [^>]*>Time is over → 8</)
  expect(svg.match(/Time is over/g)).toHaveLength(2)
})

it('draws the only edge to a node, however far it leads', async () => {
  const { nodes, edges } = chainOf(8)
  const svg = await picture({
    nodes: [...nodes, { id: 'side', kind: 'end' }],
    edges: [...edges, { from: '0', to: 'side' }],
  })
  expect(svg.match(/class="way"/g)).toHaveLength(8)
})

it('draws 200 nodes in a row that all lead to the end', async () => {
  const { nodes, edges } = chainOf(200)
  const toEnd = nodes.slice(0, -2).map(({ id }) => ({ from: id, to: '199' }))
  expect(await picture({ nodes, edges: [...edges, ...toEnd] })).toContain('<svg')
})

it('has a sentence instead where there is too much to draw', async () => {
  const { nodes, edges } = chainOf(200)
  const across = [2, 3].flatMap((by) => nodes.slice(by).map(({ id }, n) => ({ from: `${n}`, to: id })))
  expect(await picture({ nodes, edges: [...edges, ...across] })).toContain('too large')
})

/** How many characters `work` takes one by one out of texts. */
async function charactersRead(work: () => Promise<unknown>): Promise<number> {
  const read = String.prototype[Symbol.iterator]
  let count = 0
  const spy = vi.spyOn(String.prototype, Symbol.iterator).mockImplementation(function* (this: string) {
    for (const character of { [Symbol.iterator]: () => read.call(this) }) {
      count += 1
      yield character
    }
  } as () => StringIterator<string>)
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return count
}

it.each([
  ['one word', 'x'],
  ['Chinese', '字'],
  ['words', 'word '],
  ['emoji', '👩‍👩‍👧'],
  ['variables', '{{ a | b }}'],
  ['openings', '{{a|'],
])('measures no more of a text that is ten times as long, of %s', async (_, part) => {
  const graphOf = (length: number): Graph => {
    const text = { 'zh-TW': part.repeat(length / part.length) }
    const options = [{ id: 'yes', label: text }]
    const edges: Graph['edges'] = [{ from: 'ask', to: 'over', when: { kind: 'option', optionId: 'yes' } }]
    const ask = { id: 'ask', kind: 'question', timeoutSeconds: 60 } as const
    return {
      nodes: [
        { ...ask, message: { kind: 'quickReply', text, options } },
        { id: 'over', kind: 'end' },
      ],
      edges,
    }
  }
  const short = await charactersRead(() => picture(graphOf(400)))
  expect(short).toBeGreaterThan(0)
  expect(await charactersRead(() => picture(graphOf(4_000)))).toBe(short)
})

it('cuts a text that does not fit between its characters', async () => {
  const text = { 'zh-TW': '𠮷'.repeat(40) }
  const svg = await picture({
    nodes: [{ id: 'say', kind: 'message', messages: [{ kind: 'text', text }] }],
    edges: [],
  })
  expect(svg).toMatch(/>𠮷{12}<\/text>.*>𠮷{12}…<\/text>/su)
  expect(svg.isWellFormed()).toBe(true)
})

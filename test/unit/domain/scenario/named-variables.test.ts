import { describe, expect, it } from 'vitest'
import type { ScenarioContent } from '../../../../src/contract/scenarios/content.ts'
import { nameWarnings, unknownPersonFields } from '../../../../src/domain/scenario/named-variables.ts'

const says = (id: string, text: string) => ({
  ...{ id, kind: 'message' as const, messages: [{ kind: 'text' as const, text: { 'zh-TW': text } }] },
})
const asks = {
  ...{ id: 'ask', kind: 'question' as const, timeoutSeconds: 60, saveAs: 'day' },
  message: { kind: 'text' as const, text: { 'zh-TW': '哪一天？' } },
}
const answered = { from: 'ask', to: 'thanks', when: { kind: 'text' as const } }
const timedOut = (to: string) => ({ from: 'ask', to, when: { kind: 'timeout' as const } })
const end = { id: 'end', kind: 'end' as const }
const lookup = {
  id: 'look',
  kind: 'lookup' as const,
  method: 'GET' as const,
  url: 'https://a.example',
  variables: [],
}

const warned = (content: ScenarioContent) => nameWarnings(content).map(({ path, code }) => [path, code])
const at = (index: number) => `nodes[${index}].messages[0].text.zh-TW`

describe('a version is warned', () => {
  it('of names that nothing declares or saves', () => {
    const content = { nodes: [says('hi', '{{ nmae }}{% if vpi %}!{% endif %}'), end], edges: [] }
    expect(warned(content)).toEqual([
      [at(0), 'unknown_variable'],
      [at(0), 'unknown_variable'],
    ])
    const variables = [{ name: 'name', required: true }]
    expect(nameWarnings({ ...content, variables }).map(({ message }) => message.en)).toEqual([
      expect.stringMatching(/Did you mean name\?$/),
      expect.stringMatching(/declare it in variables\.$/),
    ])
  })

  it('after a Lookup, which may answer any name, only of those that look like a slip', () => {
    const nodes = [says('hi', '{{ left }}'), lookup, says('then', '{{ left }}{{ nmae }}'), end]
    const edges = [
      { from: 'hi', to: 'look' },
      { from: 'look', to: 'then' },
      { from: 'look', to: 'end', when: { kind: 'error' as const } },
    ]
    const variables = [{ name: 'name', required: true }]
    expect(warned({ nodes, edges, variables })).toEqual([
      [at(0), 'unknown_variable'],
      [at(2), 'unknown_variable'],
    ])
  })

  it('of optional variables that a text prints without a test or a default', () => {
    const variables = [
      { name: 'nick', required: false },
      { name: 'size', required: false, default: 'M' },
      { name: 'name', required: true },
    ]
    const texts = [
      '{{ nick }}',
      '{% if nick %}{{ nick }}{% endif %}',
      '{{ nick | default: name }} {{ size }} {{ name }}',
    ]
    const nodes = texts.map((text, index) => says(`n${index}`, text))
    expect(warned({ nodes, edges: [], variables })).toEqual([[at(0), 'may_be_empty']])
  })

  it('of an answer that is printed where nobody may have given it', () => {
    const nodes = [asks, says('thanks', '{{ day }}'), end]
    expect(warned({ nodes, edges: [answered, timedOut('end')] })).toEqual([])
    expect(warned({ nodes, edges: [answered, timedOut('thanks')] })).toEqual([[at(1), 'may_be_empty']])
    const asksAgain = [asks, { ...asks, id: 'again' }, says('thanks', '{{ day }}'), end]
    const again = (to: string, kind: 'text' | 'timeout') => ({ from: 'again', to, when: { kind } })
    const edges = [answered, timedOut('again'), again('thanks', 'text')]
    expect(warned({ nodes: asksAgain, edges: [...edges, again('end', 'timeout')] })).toEqual([])
    expect(warned({ nodes: asksAgain, edges: [...edges, again('thanks', 'timeout')] })).toEqual([
      [at(2), 'may_be_empty'],
    ])
  })
})

it('a field of the person that does not exist is found wherever a text reads it', () => {
  const text =
    '{{ person.displayName }}{{ person.dispalyName }}{% if person.age > 3 %}{{ person.stage }}{% endif %}'
  expect(unknownPersonFields([says('hi', text)])).toMatchObject([
    { path: at(0), message: 'must not name person.dispalyName: person has displayName, locale, stage' },
    { path: at(0), message: 'must not name person.age: person has displayName, locale, stage' },
  ])
})

import { describe, expect, it } from 'vitest'
import type { CanonicalMessage } from '../../../../src/contract/messages/content.ts'
import { optionNamed, optionsOf } from '../../../../src/domain/scenario/question.ts'

const label = (zh: string, en?: string) => ({ 'zh-TW': zh, ...(en !== undefined && { en }) })

describe('the options of a question', () => {
  it('are what has an id and answers, also across cards', () => {
    const card = (...actions: Extract<CanonicalMessage, { kind: 'card' }>['actions']) => ({
      ...{ kind: 'card' as const, title: label('卡'), actions },
    })
    const carousel: CanonicalMessage = {
      kind: 'carousel',
      cards: [
        card(
          { kind: 'nextNode', label: label('往下'), nodeId: 'a' },
          { kind: 'uri', label: label('網頁'), url: 'https://example.edu' },
        ),
        card(
          { kind: 'nextNode', label: label('往左'), nodeId: 'a', optionId: 'left' },
          { kind: 'postback', label: label('好'), data: { v: 1, o: 'ok' } },
          { kind: 'postback', label: label('無'), data: { v: 1 } },
        ),
        card(
          { kind: 'mute', label: label('關'), categoryId: 'c' },
          { kind: 'jumpScenario', label: label('換'), scenarioId: 's' },
        ),
      ],
    }
    expect(optionsOf(carousel).map(({ id, nodeId }) => [id, nodeId])).toEqual([
      ['a', 'a'],
      ['left', 'a'],
      ['ok', undefined],
    ])
  })
})

describe('a typed text names an option', () => {
  it('by what people see of it, before ids and numbers that they do not', () => {
    const numbers = ['0', '1', '2'].map((text, at) => ({ id: String(at + 1), label: label(text) }))
    expect(['0', '1', '2', '3'].map((typed) => optionNamed(numbers, typed)?.id)).toEqual(['1', '2', '3', '3'])
  })

  const options = [
    { id: 'yes', label: label('是', 'Yes, please') },
    { id: 'no', label: label('否 (N)', 'No') },
    { id: '1', label: label('也許') },
  ]

  it.each<[string, string | null]>([
    ['YES', 'yes'],
    [' 是 ', 'yes'],
    ['yes, please', 'yes'],
    ['否（Ｎ）', null],
    ['否 (n)', 'no'],
    ['否　（Ｎ）', 'no'],
    ['２', 'no'],
    ['1', '1'],
    ['3', '1'],
    ['4', null],
    ['２ ', 'no'],
    ['', null],
  ])('%j: %j', (typed, id) => {
    expect(optionNamed(options, typed)?.id ?? null).toBe(id)
  })
})

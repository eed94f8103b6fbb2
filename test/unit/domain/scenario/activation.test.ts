import { describe, expect, it } from 'vitest'
import { activationReason, triggersOf } from '../../../../src/domain/scenario/activation.ts'
import { measurable, withNames } from '../../../../src/domain/scenario/measured-text.ts'
import { text } from './graphs.ts'

it('a person decides in a category that is not automatic, and about triggers', () => {
  expect(activationReason({ approvalRule: 'manual' }, { keywords: ['a'] })).toBe('category_not_auto')
  expect(activationReason({ approvalRule: 'auto' }, { keywords: ['a'] })).toBe('has_triggers')
  expect(activationReason({ approvalRule: 'auto' }, { follow: true })).toBe('has_triggers')
  expect(activationReason({ approvalRule: 'auto' }, {})).toBe(null)
  expect(activationReason({ approvalRule: 'auto' }, null)).toBe(null)
})

it('keywords are claimed without regard to case and width, each once', () => {
  expect(triggersOf({ follow: true, keywords: ['Ｔour', 'TOUR', '導覽'] })).toEqual([
    'follow',
    'keyword:tour',
    'keyword:導覽',
  ])
})

it('a variable is measured as one character, and a text with conditions not at all', () => {
  expect(measurable([text('{{ a }}{{ b.c | upcase }}好'), text('{% if a %}長{% endif %}')])).toEqual([
    text('……好'),
    text('…'),
  ])
  const image = { kind: 'image' as const, url: '{{ link }}', alt: { 'zh-TW': '圖' } }
  expect(measurable([image, { ...image, url: 'https://example.edu/{{ a }}' }])).toMatchObject([
    { url: 'https://example.edu/' },
    { url: 'https://example.edu/x' },
  ])
})

describe('to readers', () => {
  it('variables are shown by their names', () => {
    expect(withNames('{{ day }}，{{order.total}}')).toBe('⟨day⟩，⟨order.total⟩')
  })

  it.each([
    '{{ "" | append: "Send your password" }}',
    '{{ subject | prepend: "https://evil.example/" }}',
    '{{ day["Friday"] }}',
    "{{ 'Friday' }}",
    '{{- day -}}',
    '{% if a %}是{% endif %}',
    '⟨day⟩ {{ day }}',
  ])('whatever else Liquid says stays as it is written: %s', (text) => {
    expect(withNames(text)).toBe(text)
  })
})

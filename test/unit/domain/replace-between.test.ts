import fc from 'fast-check'
import { expect, it } from 'vitest'
import { replaceBetween } from '../../../src/domain/content/replace-between.ts'

const braces = ['{{', '}}'] as const

it('replaces what the lazy expression would', () => {
  const texts = fc.string({ unit: fc.constantFrom('{', '}', 'a', '\n', '字') })
  fc.assert(
    fc.property(texts, (text) => {
      const expected = text.replaceAll(/\{\{.*?\}\}/gs, (stretch) => `<${stretch}>`)
      expect(replaceBetween(text, braces, (stretch) => `<${stretch}>`)).toBe(expected)
    }),
  )
})

it('leaves openings that nothing closes', () => {
  expect(replaceBetween('{{ a }} and {{{{{{ b', braces, () => '…')).toBe('… and {{{{{{ b')
})

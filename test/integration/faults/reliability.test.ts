import { expect, it } from 'vitest'
import { documentNow } from './reliability.ts'

it('docs/reliability.md has the faults and the counts that are tested', () => {
  const { text, expected } = documentNow()
  expect(text).toBe(expected)
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedFields } from '../../../src/domain/lib/changed-fields.ts'

const row = fc.record({ name: fc.string(), list: fc.array(fc.nat(3)), query: fc.option(fc.object()) })

describe('what changed between two rows', () => {
  it('is nothing for values that are the same, in whatever order their keys stand', () => {
    fc.assert(
      fc.property(row, (before) => {
        const copy = Object.fromEntries(Object.entries(structuredClone(before)).reverse())
        expect(changedFields(before, copy)).toEqual([])
      }),
    )
  })

  it('is each field with another value, and no field that was not given', () => {
    const before = { name: 'old', list: [1, 2], query: null as object | null }
    expect(changedFields(before, { name: 'new' })).toEqual(['name'])
    expect(changedFields(before, { list: [2, 1], query: {} })).toEqual(['list', 'query'])
    expect(changedFields(before, { name: undefined, query: null })).toEqual([])
  })
})

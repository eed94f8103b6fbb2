import { describe, expect, it } from 'vitest'
import { dimensionsOf } from '../../../src/domain/audience/audience-rights.ts'

describe('the dimensions an audience uses', () => {
  it('are those of its query and of what it excludes, each once', () => {
    const exclude = { roles: ['staff' as const], tags: ['x'] }
    expect(dimensionsOf({ kind: 'query', roles: ['student'], exclude })).toEqual(['roles', 'tags'])
  })

  it('are the same if the excluded audience states that it is a query', () => {
    const exclude = { kind: 'query' as const, tags: ['x'] }
    expect(dimensionsOf({ kind: 'query', roles: ['student'], exclude })).toEqual(['roles', 'tags'])
  })

  it('count `all` as a dimension', () => {
    expect(dimensionsOf({ kind: 'all', exclude: { orgUnits: ['cs'] } })).toEqual(['all', 'orgUnits'])
  })

  it('are none for named people, which need a separate permission', () => {
    expect(dimensionsOf({ kind: 'individual', uids: ['a'] })).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { audienceDimensions } from '../../../src/contract/enums.ts'
import { matchesAudience } from '../../../src/db/queries/audience/subjects.ts'
import type { Audience } from '../../../src/domain/audience/audience.ts'

/** As a row may have it that another version of Carillon wrote. */
const matches = (stored: object) => () => matchesAudience(stored as Audience, { unitId: 'u' })
const refusal = (path: string, message: string) =>
  expect.objectContaining({
    code: 'validation_error',
    details: { issues: [expect.objectContaining({ path, message, rule: expect.any(String) })] },
  })

describe('a query that ends without a condition matches nobody, and throws', () => {
  it.each([
    ['audience', { kind: 'query' }],
    ['audience', { kind: 'query', roles: undefined }],
    ['audience', { kind: 'query', exclude: { tags: ['a:b'] } }],
    ['audience.exclude', { kind: 'all', exclude: {} }],
    ['audience.exclude', { kind: 'query', tags: ['a:b'], exclude: { kind: 'query' } }],
  ])('%s of %j', (path, stored) => {
    expect(matches(stored)).toThrow(refusal(path, 'must use at least one dimension'))
  })

  it.each([
    ['audience', { kind: 'query', floors: ['3'] }],
    ['audience', { kind: 'query', roles: ['student'], floors: ['3'] }],
    ['audience.exclude', { kind: 'all', exclude: { floors: ['3'] } }],
    ['audience.exclude', { kind: 'query', roles: ['student'], exclude: { tags: ['a:b'], floors: ['3'] } }],
  ])('%s of %j, whose dimension is not known', (path, stored) => {
    const message = 'must use known dimensions only; floors is none'
    expect(matches(stored)).toThrow(refusal(path, message))
  })

  it('history of a kind that is not known', () => {
    const history = [
      { kind: 'received', messageId: 'm' },
      { kind: 'read', messageId: 'm' },
    ]
    const message = 'must be of known kinds; read is none'
    expect(matches({ kind: 'query', history })).toThrow(refusal('audience.history', message))
  })
})

it('everybody is matched by an audience of that kind alone', () => {
  expect(matches({ kind: 'all' })().toOperationNode()).toMatchObject({ sqlFragments: ['true'] })
})

it.each(audienceDimensions)('%s is a condition, also without values', (name) => {
  expect(matches({ kind: 'query', [name]: [] })).not.toThrow()
})

import { expect, it } from 'vitest'
import { audienceLines } from '../../../src/api/console/facts/audience-lines.ts'

const named = { 'zh-TW': '工學院', en: 'Engineering' }
const names = {
  group: (id: string) => id,
  value: (_: string, value: string) => (value === 'engineering' ? named : null),
}
const lines = (audience: Parameters<typeof audienceLines>[1]) => audienceLines('en', audience, names)

it('the approver reads every dimension of a query, and what is left out', () => {
  const audience = {
    kind: 'query' as const,
    roles: ['student' as const],
    stages: ['member' as const],
    orgUnits: ['engineering'],
    classIds: ['ee-1a', 'ee-1b'],
    groups: ['g'],
    tags: ['interest:music'],
    history: [{ kind: 'received' as const, messageId: 'm' }],
    exclude: { tags: ['interest:chess'] },
  }
  expect(lines(audience)).toEqual([
    'Role: students',
    'Stage: members',
    'Organisational unit: Engineering (engineering)',
    'Class: ee-1a, ee-1b',
    'Group: g',
    'Tag: interest:music',
    'History: received m',
    'Except tag: interest:chess',
  ])
})

it('the approver reads Everyone of an audience of that kind alone', () => {
  expect(lines({ kind: 'all' })).toEqual(['Everyone'])
  expect(lines({ kind: 'query', roles: [] })).toEqual(['Role: none'])
  expect(lines({ kind: 'query', tags: ['a:b'], groups: [] })).toEqual(['Group: none', 'Tag: a:b'])
})

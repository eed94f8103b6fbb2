import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unitKinds } from '../../../src/contract/enums.ts'
import { limits } from '../../../src/contract/limits.ts'
import type { Audience } from '../../../src/domain/audience/audience.ts'
import { hasBecomeSmall, type Smallness, smallnessOf } from '../../../src/domain/audience/small-audience.ts'

const counted = (total: number, noAddress = 0, frequency = 0) => ({
  total,
  byChannel: {},
  byLocale: {},
  excluded: { noConsent: 0, noAddress, preferenceOff: 0, blocked: 0 },
  excludedByChannel: {},
  unknownUids: 0,
  frequency,
})
const group: Audience = { kind: 'query', groups: ['g'] }

describe('the people whom an audience of the unit’s own lists names', () => {
  it.each([
    ['none', counted(0), null],
    ['one', counted(1), 'targeting'],
    ['four', counted(4), 'targeting'],
    ['five', counted(5), null],
    ['one who cannot be reached', counted(0, 1), 'targeting'],
    ['four, of whom one is reached', counted(1, 2, 1), 'targeting'],
    ['five, of whom one is reached', counted(1, 4), 'few'],
    ['five, of whom one has not yet been told enough', counted(1, 0, 4), 'few'],
    ['many, of whom none is reached', counted(0, 500), null],
  ])('%s', (_, recipients, smallness) => {
    expect(smallnessOf(group, 'ordinary', recipients)).toBe(smallness)
  })

  it('are judged by how many are named first, then by how many are reached', () => {
    const people = fc.nat({ max: 8 })
    fc.assert(
      fc.property(people, people, people, (total, noAddress, frequency) => {
        const named = total + noAddress + frequency
        const few = (count: number) => count > 0 && count < limits.smallestAudience
        const expected = few(named) ? 'targeting' : few(total) ? 'few' : null
        expect(smallnessOf(group, 'ordinary', counted(total, noAddress, frequency))).toBe(expected)
      }),
    )
  })
})

describe('an audience that names one person', () => {
  const m = { messageId: 'm' }
  const ofEveryUnit: [string, Audience][] = [
    ['by a group', group],
    ['by a group and an attribute', { ...group, classIds: ['c'] }],
    ['by leaving out a group', { kind: 'all', exclude: { groups: ['g'] } }],
    ['by leaving out a group of a class', { kind: 'query', classIds: ['c'], exclude: { groups: ['g'] } }],
    ['by a tag that its scenarios set', { kind: 'query', tags: ['cohort:2026', 'interest:chess'] }],
    ['by a message of the unit', { kind: 'query', history: [{ kind: 'received', ...m }] }],
    ['by leaving out who got one', { kind: 'all', exclude: { history: [{ kind: 'received', ...m }] } }],
  ]
  const ofAdministrativeUnits: [string, Audience][] = [
    ['by role', { kind: 'query', roles: ['teacher'] }],
    ['by stage', { kind: 'query', stages: ['lead'] }],
    ['by unit', { kind: 'query', orgUnits: ['o'] }],
    ['by class', { kind: 'query', classIds: ['c'] }],
    ['by tag', { kind: 'query', tags: ['t'] }],
    ['by leaving out a tag', { kind: 'all', exclude: { tags: ['t'] } }],
  ]
  const ofNone: [string, Audience][] = [
    ['because there is only one', { kind: 'all' }],
    ['by name', { kind: 'individual', uids: ['u'] }],
    ['by their own answer', { kind: 'query', history: [{ kind: 'answered', ...m }] }],
  ]

  it.each([
    ...ofEveryUnit.map(([how, audience]) => [how, audience, unitKinds] as const),
    ...ofAdministrativeUnits.map(([how, audience]) => [how, audience, ['administrative']] as const),
    ...ofNone.map(([how, audience]) => [how, audience, []] as const),
  ])('%s', (_, audience, units) => {
    const targeting = unitKinds.filter((kind) => smallnessOf(audience, kind, counted(1)) === 'targeting')
    expect(targeting).toEqual(units)
  })
})

it('an audience has become small if its approver saw more people, or more whom it named', () => {
  const order: (Smallness | null)[] = [null, 'few', 'targeting']
  for (const [was, approved] of order.entries())
    for (const [is, now] of order.entries()) expect(hasBecomeSmall(approved, now)).toBe(is > was)
})

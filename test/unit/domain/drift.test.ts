import { describe, expect, it } from 'vitest'
import { hasDrifted } from '../../../src/domain/drift.ts'

const people = (total: number) => ({
  total,
  byChannel: {},
  excluded: { noConsent: 0, noAddress: 0, preferenceOff: 0, blocked: 0 },
  unknown: 0,
})

describe('an audience that has grown since it was approved', () => {
  it.each([
    [10, 60, false],
    [10, 61, true],
    [1_000, 1_100, false],
    [1_000, 1_101, true],
    [1_000, 10, false],
    [0, 51, true],
  ])('from %i to %i people: drifted is %s', (approved, counted, drifted) => {
    expect(hasDrifted(people(approved), people(counted))).toBe(drifted)
  })
})

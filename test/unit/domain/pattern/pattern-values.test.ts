import { expect, it } from 'vitest'
import {
  localInstant,
  type PatternFacts,
  patternValues,
} from '../../../../src/domain/pattern/pattern-values.ts'

const deadline = Date.UTC(2026, 11, 1, 10)

function facts(changed: Partial<PatternFacts> = {}): PatternFacts {
  return { deadline, capacity: 3, registered: 1, timeZone: 'Asia/Taipei', own: null, ...changed }
}

it('says what is left, and until when in local time', () => {
  expect(patternValues(facts(), deadline - 1)).toEqual({
    ...{ status: 'open', capacity: 3, left: 2, registration: 'none', calendar: '' },
    deadline: '2026-12-01T18:00:00+08:00',
  })
})

it.each<[string, Partial<PatternFacts>, number, object]>([
  ['is full when no place is left', { registered: 3 }, -1, { status: 'full', left: 0 }],
  ['is closed from its deadline on', {}, 0, { status: 'closed', left: 2 }],
  ['has no number of places without a capacity', { capacity: null }, -1, { status: 'open', left: null }],
  [
    'says where the person stands',
    { own: { state: 'waitlisted', byThisRun: false } },
    -1,
    { registration: 'waitlisted' },
  ],
])('%s', (_name, changed, after, values) => {
  expect(patternValues(facts(changed), deadline + after)).toMatchObject(values)
})

it.each([
  ['Asia/Kathmandu', '2026-12-01T15:45:00+05:45'],
  ['America/New_York', '2026-12-01T05:00:00-05:00'],
  ['UTC', '2026-12-01T10:00:00+00:00'],
])('shows the local time of %s with its offset', (zone, local) => {
  expect(localInstant(deadline, zone)).toBe(local)
  expect(Date.parse(local)).toBe(deadline)
})

it.each([
  ['9999-12-31T23:59:59.000Z', 'Asia/Taipei', '9999-12-31T23:59:59+00:00'],
  ['9999-12-31T15:59:59.000Z', 'Asia/Taipei', '9999-12-31T23:59:59+08:00'],
  ['0001-01-01T00:00:00.000Z', 'America/New_York', '0001-01-01T00:00:00+00:00'],
])('shows %s in %s as a time that texts can format', (at, zone, text) => {
  expect(localInstant(Date.parse(at), zone)).toBe(text)
})

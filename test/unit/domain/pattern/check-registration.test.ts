import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Asking,
  checkRegistration,
  type OwnRegistration,
  type RegistrationFacts,
} from '../../../../src/domain/pattern/check-registration.ts'

const place: Asking = { withdraw: false, waits: true }
const withdraw: Asking = { withdraw: true, waits: false }

function facts(
  own: Partial<OwnRegistration> | null,
  changed: Partial<RegistrationFacts> = {},
): RegistrationFacts {
  const standing = own && { state: 'registered' as const, byThisRun: true, promoted: false, ...own }
  return { capacity: 1, registered: 1, over: false, own: standing, ...changed }
}

describe('a request for a place', () => {
  it.each<[string, RegistrationFacts, Asking, string]>([
    ['has one while one is left', facts(null, { registered: 0 }), place, 'registered'],
    [
      'has one where there is no end of them',
      facts(null, { capacity: null, registered: 0 }),
      place,
      'registered',
    ],
    ['waits when all are taken', facts(null), place, 'waiting'],
    ['is refused then without a waiting list', facts(null), { withdraw: false, waits: false }, 'full'],
    ['is refused when it is over', facts(null, { registered: 0, over: true }), place, 'closed'],
    ['keeps the place that the person has', facts({}), place, 'registered'],
    ['keeps it also when it is over', facts({}, { over: true }), place, 'registered'],
    ['has waited in vain when it is over', facts({ state: 'waitlisted' }, { over: true }), place, 'full'],
    ['begins anew after a withdrawal', facts({ state: 'withdrawn' }, { registered: 0 }), place, 'registered'],
  ])('%s', (_name, facts, asking, result) => {
    expect(checkRegistration(facts, asking).result).toBe(result)
  })
})

describe('a withdrawal', () => {
  it.each<[string, RegistrationFacts, string, string | null]>([
    ['gives the place up', facts({}), 'withdrawn', 'withdrawn'],
    ['comes too late when it is over', facts({}, { over: true }), 'closed', null],
    [
      'ends the wait, also when it is over',
      facts({ state: 'waitlisted' }, { over: true }),
      'withdrawn',
      'withdrawn',
    ],
    [
      'of a place that was not seen yet is not too late',
      facts({ promoted: true }, { over: true }),
      'withdrawn',
      'withdrawn',
    ],
    ['of nothing is one too', facts(null), 'withdrawn', null],
    [
      'has the same answer when it is asked again',
      facts({ state: 'withdrawn' }, { over: true }),
      'withdrawn',
      null,
    ],
  ])('%s', (_name, facts, result, becomes) => {
    expect(checkRegistration(facts, withdraw)).toEqual({ result, becomes })
  })
})

/** What people ask for one after the other, by the person. */
const anyRequests = fc.array(fc.record({ who: fc.nat(9), withdraw: fc.boolean(), waits: fc.boolean() }), {
  maxLength: 60,
})

it('never gives more places than there are, and gives the same answer when it is asked again', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), anyRequests, (capacity, requests) => {
      const states = new Map<number, OwnRegistration['state']>()
      const takenPlaces = () => [...states.values()].filter((state) => state === 'registered').length
      const ask = ({ who, ...asking }: (typeof requests)[number]) => {
        const state = states.get(who)
        const own = state === undefined ? null : { state, byThisRun: true, promoted: false }
        const judged = checkRegistration({ capacity, registered: takenPlaces(), over: false, own }, asking)
        if (judged.becomes !== null) states.set(who, judged.becomes)
        return judged.result
      }
      for (const request of requests) {
        const result = ask(request)
        expect(ask(request)).toBe(result)
        expect(takenPlaces()).toBeLessThanOrEqual(capacity)
        expect(states.get(request.who) === 'registered').toBe(result === 'registered')
      }
    }),
  )
})

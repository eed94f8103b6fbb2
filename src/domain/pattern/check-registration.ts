import type { RegisterResult, RegistrationState } from '../../contract/enums.ts'

/** Where a person stands in a pattern. `byThisRun`: by this run. `promoted`: they got a place, and their run has not seen it. */
export type OwnRegistration = { state: RegistrationState; byThisRun: boolean; promoted: boolean }

/** What decides about a place. `capacity` null: there is no end of them. `over`: the deadline has passed. */
export type RegistrationFacts = {
  capacity: number | null
  registered: number
  over: boolean
  own: OwnRegistration | null
}

/** What a run asks for: a place, or with `withdraw` to give one up. `waits`: it waits if none is left. */
export type Asking = { withdraw: boolean; waits: boolean }

/** What it gets, and the state that the person is in then; null: as before. */
export type Registered = { result: RegisterResult | 'waiting'; becomes: RegistrationState | null }

/**
 * Decides about a place. To be asked again is safe: who has a place keeps it, and who waits goes on waiting, so that a run
 * that was interrupted in between asks again.
 */
export function checkRegistration(facts: RegistrationFacts, { withdraw, waits }: Asking): Registered {
  return withdraw ? checkWithdrawal(facts) : checkPlace(facts, waits)
}

/** A person on the waiting list, or promoted but not yet notified, may withdraw after the deadline as well. */
function checkWithdrawal({ over, own }: RegistrationFacts): Registered {
  if (own?.state === 'withdrawn' && own.byThisRun) return { result: 'withdrawn', becomes: null }
  if (own && (own.state === 'waitlisted' || own.promoted))
    return { result: 'withdrawn', becomes: 'withdrawn' }
  if (over) return { result: 'closed', becomes: null }
  return { result: 'withdrawn', becomes: own?.state === 'registered' ? 'withdrawn' : null }
}

function checkPlace({ capacity, registered, over, own }: RegistrationFacts, waits: boolean): Registered {
  if (own?.state === 'registered') return { result: 'registered', becomes: 'registered' }
  if (over)
    return own?.state === 'waitlisted' || own?.state === 'not_admitted'
      ? { result: 'full', becomes: 'not_admitted' }
      : { result: 'closed', becomes: null }
  if (own?.state === 'waitlisted') return { result: 'waiting', becomes: 'waitlisted' }
  if (capacity === null || registered < capacity) return { result: 'registered', becomes: 'registered' }
  return waits ? { result: 'waiting', becomes: 'waitlisted' } : { result: 'full', becomes: null }
}

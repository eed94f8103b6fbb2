import { ServiceError } from '../contract/errors.ts'
import { type Refusal, type Verdict, verdictOf } from '../domain/rights/refusal.ts'

/**
 * Refuses a call.
 * @throws ServiceError the refusal, if there is one
 */
export function refuse(refusal: Refusal | null): void {
  if (refusal) throw new ServiceError(refusal.code, refusal.message, refusal.details)
}

/** The verdict on a call, from the checks that the call itself makes: allowed, or the error that they throw. */
export async function verdictOn(checks: () => Promise<unknown>): Promise<Verdict> {
  try {
    await checks()
    return verdictOf(null)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return verdictOf({ code: error.code, message: error.message })
  }
}

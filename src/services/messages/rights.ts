import type { Audience } from '../../domain/audience/audience.ts'
import {
  audienceRefusal,
  categoryRefusal,
  individualReachRefusal,
} from '../../domain/audience/audience-rights.ts'
import { roleRefusal, type Verb } from '../../domain/rights/permission.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import { refuse } from '../refuse.ts'

/** @throws ServiceError forbidden */
export function assertMayAsk(principal: Principal, verb: Verb, unitId: string): void {
  refuse(roleRefusal(principal, verb, unitId))
}

/** @throws ServiceError category_not_allowed */
export function assertMayUse(principal: Principal, categoryId: string): void {
  refuse(categoryRefusal(principal, categoryId))
}

/**
 * Checks a change by which individual people are sent something at once.
 * @throws ServiceError individual_targeting_disabled
 */
export function assertMayReachIndividuals(principal: Principal): void {
  refuse(individualReachRefusal(principal))
}

/**
 * Checks a category and an audience against the credential's restrictions.
 * @throws ServiceError category_not_allowed, individual_targeting_disabled, audience_dimension_not_allowed
 */
export function assertMayReach(principal: Principal, categoryId: string, audience: Audience): void {
  assertMayUse(principal, categoryId)
  assertMayName(principal, audience)
}

/**
 * Checks an audience against the credential's restrictions.
 * @throws ServiceError individual_targeting_disabled, audience_dimension_not_allowed
 */
export function assertMayName(principal: Principal, audience: Audience): void {
  refuse(audienceRefusal(principal, audience))
}

import { ServiceError } from '../../contract/errors.ts'
import type { Pattern } from '../../contract/patterns/pattern.ts'
import { findPattern, type PatternRow } from '../../db/queries/pattern/pattern.ts'
import type { WholeDesign } from '../../domain/pattern/terms.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { findInUnits } from '../unit-access.ts'
import { patternOf } from './patterns.ts'

/** A pattern, and what its newest version is made of. `isGenerated`: false once its graph was edited by hand. */
export type DesignedPattern = { pattern: Pattern; design: WholeDesign; isGenerated: boolean }

/** @throws ServiceError not_found */
export async function readDesign(
  { db }: Services,
  principal: Principal,
  id: string,
): Promise<DesignedPattern> {
  const row = await findInUnits(db, principal, id, 'pattern', findPattern)
  return { pattern: patternOf(row), design: row.design ?? designIn(row), isGenerated: row.design !== null }
}

/** The same as it can be said of a pattern whose graph was edited by hand. */
function designIn(row: PatternRow): WholeDesign {
  const { type, name, categoryId, title, description, capacity, waitingList, calendar } = row
  // A registration asks by itself whether somebody wants to take part.
  const questions = type === 'registration' ? row.questions.slice(1) : row.questions
  return {
    ...{ type, name, categoryId, title, deadline: row.deadline.toISOString(), questions },
    ...(description && { description }),
    ...(capacity !== null && { capacity, waitingList }),
    ...(calendar && { calendar }),
  }
}

/** Whether a new version can be written in a form: not of a graph that was edited by hand, of what waits, or in a pause. */
export function mayBeRewritten({ pattern, isGenerated }: DesignedPattern): boolean {
  const { scenarioState, versionState, paused } = pattern
  return isGenerated && !paused && scenarioState !== 'retired' && versionState !== 'submitted'
}

/**
 * The same, to write its next version.
 * @throws ServiceError not_found, invalid_transition
 */
export async function designToChange(
  services: Services,
  principal: Principal,
  id: string,
): Promise<DesignedPattern> {
  const designed = await readDesign(services, principal, id)
  if (mayBeRewritten(designed)) return designed
  throw new ServiceError(
    'invalid_transition',
    'It cannot be changed here now: it waits for its approver, is paused or retired, or its graph was edited. See its page.',
  )
}

import { ServiceError } from '../../contract/errors.ts'
import type { Trx } from '../../db/connect.ts'
import { replaceTerms } from '../../db/queries/pattern/pattern.ts'
import { promoteWaiting } from '../../db/queries/pattern/registration.ts'
import {
  findTriggerHolders,
  lockTermsOf,
  putScenarioInForce,
  type Scenario as Row,
  setScenarioState,
} from '../../db/queries/scenario/scenario.ts'
import { releaseTurns } from '../../db/queries/scenario-run/retry.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import { triggersTaken } from '../../domain/rights/allowed-decision.ts'
import { triggersOf } from '../../domain/scenario/activation.ts'
import { assertJumpsEnd } from './jumps.ts'

type Claiming = Pick<Row, 'id' | 'unitId' | 'version' | 'triggers' | 'content'>

/**
 * Puts the newest version of a locked scenario in force, with its triggers and, of a pattern, its places and deadline. Its
 * runs stay on the version they began with. `promoted`: people who waited and have a place by it.
 * @throws ServiceError invalid_transition if another scenario has one of its triggers, dag_invalid if it closes a circle of
 *   jumps without an answer
 */
export async function putInForce(
  trx: Trx,
  row: Claiming,
  decision: { by: string; autoApproved: boolean; submittedBy?: string },
): Promise<{ promoted: number }> {
  const generated = await lockTermsOf(trx, row)
  await assertJumpsEnd(trx, row)
  await assertTriggersFree(trx, row)
  try {
    await putScenarioInForce(trx, row, { ...decision, triggers: triggersOf(row.triggers) })
  } catch (error) {
    // Another approval took one of them in the same moment; the database does not say which.
    throw isUniqueViolation(error, 'scenario_trigger_pkey') ? takenError(triggersOf(row.triggers)) : error
  }
  if (!generated) return { promoted: 0 }
  const { patternId, terms } = generated
  await replaceTerms(trx, patternId, terms)
  return { promoted: await promoteWaiting(trx, patternId) }
}

/** Makes a locked scenario active. If it was paused, its runs say what they held back. */
export async function makeActive(trx: Trx, id: string): Promise<void> {
  await setScenarioState(trx, id, 'active')
  await releaseTurns(trx, id)
}

/** @throws ServiceError invalid_transition if another scenario, of any unit, has one of its triggers */
export async function assertTriggersFree(
  trx: Trx,
  { id, triggers }: Pick<Claiming, 'id' | 'triggers'>,
): Promise<void> {
  const wanted = triggersOf(triggers)
  const holders = await findTriggerHolders(trx, wanted)
  const others = holders.filter(({ scenarioId }) => scenarioId !== id).map(({ trigger }) => trigger)
  if (others.length > 0) throw takenError(wanted.filter((trigger) => others.includes(trigger)))
}

function takenError(triggers: readonly string[]): ServiceError {
  const { code, message, details } = triggersTaken(triggers)
  return new ServiceError(code, message, details)
}

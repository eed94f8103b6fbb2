import { ServiceError } from '../../contract/errors.ts'
import type { Trx } from '../../db/connect.ts'
import {
  findTriggerHolders,
  putScenarioInForce,
  type Scenario as Row,
} from '../../db/queries/scenario/scenario.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import { takenTrigger } from '../../domain/allowed-decision.ts'
import { triggersOf } from '../../domain/scenario/activation.ts'

type Claiming = Pick<Row, 'id' | 'version' | 'triggers'>

/**
 * Puts the newest version of a locked scenario in force, with its triggers. Its runs stay on the version they began with.
 * @throws ServiceError invalid_transition if another scenario has one of its triggers
 */
export async function putInForce(
  trx: Trx,
  row: Claiming,
  decision: { by: string; automatic: boolean },
): Promise<void> {
  await assertTriggersFree(trx, row)
  try {
    await putScenarioInForce(trx, row, { ...decision, triggers: triggersOf(row.triggers) })
  } catch (error) {
    throw isUniqueViolation(error, 'scenario_trigger_pkey') ? triggerTaken() : error
  }
}

/** @throws ServiceError invalid_transition if another scenario, of any unit, has one of its triggers */
export async function assertTriggersFree(trx: Trx, { id, triggers }: Claiming): Promise<void> {
  const holders = await findTriggerHolders(trx, triggersOf(triggers))
  if (holders.some(({ scenarioId }) => scenarioId !== id)) throw triggerTaken()
}

function triggerTaken(): ServiceError {
  return new ServiceError('invalid_transition', takenTrigger.message, { state: 'bound', by: null, at: null })
}

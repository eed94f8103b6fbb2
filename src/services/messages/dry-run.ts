import { ServiceError } from '../../contract/errors.ts'
import { findCompiled } from '../../db/queries/message/content.ts'
import { findMessage } from '../../db/queries/message/message.ts'
import type { Snapshot } from '../../domain/audience.ts'
import type { Principal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { refusal } from '../move.ts'
import { unitsOf } from '../unit-of.ts'
import type { CompiledContent } from './compile.ts'
import { categoryOf, makeReady } from './ready.ts'
import { takeSnapshot } from './snapshot.ts'

/**
 * What submitting, or sending, would do now: numbers and violations, never people. Changes nothing. After submit the
 * frozen content is counted with.
 * @throws ServiceError not_found, missing_variable, not_configured, invalid_transition once the message is closed
 */
export async function dryRun(services: Services, principal: Principal, id: string): Promise<Snapshot> {
  const found = await findMessage(services.db, id, unitsOf(principal))
  if (!found) throw new ServiceError('not_found', 'There is no such message. Check the id.')
  const { message, now } = found
  if (message.state === 'draft') return (await makeReady(services, services.db, message, now)).snapshot
  if (message.closed_at)
    throw await refusal(services.db, found, `There is nothing to forecast: the message is ${message.state}.`)
  const compiled = (await findCompiled(services.db, id)) as CompiledContent
  const category = await categoryOf(services.db, message)
  return takeSnapshot(services, services.db, message, category, { compiled, violations: [] }, now)
}

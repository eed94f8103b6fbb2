import type { EventError } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { EventReplay } from '../../contract/events/binding.ts'
import type { EventAnswer } from '../../contract/events/event.ts'
import { reopenEvents } from '../../db/queries/event/event.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { assertMayUse } from '../messages/rights.ts'
import { lastChangeOf } from './binding-fields.ts'
import { settleEvent } from './settle.ts'
import { auditBinding, currentOf, writableBinding } from './write-binding.ts'

/** Maximum events processed while the caller waits. */
const atOnce = 100

/**
 * Processes again every event of a binding that made nothing: the first ones here, the remaining ones in workers.
 * @throws ServiceError not_found, forbidden, category_not_allowed, invalid_transition if the binding is disabled or not in force yet
 */
export async function replayBinding(
  services: Services,
  principal: Principal,
  id: string,
): Promise<EventReplay> {
  const events = await services.db.transaction().execute(async (trx) => {
    const row = await writableBinding(trx, principal, id)
    const { inForce } = row
    if (!inForce?.enabled)
      throw new ServiceError(
        'invalid_transition',
        inForce
          ? 'This binding is disabled. Enable it before you replay its events.'
          : 'No version of this binding is in force yet. An approver must approve it before you replay its events.',
        { ...lastChangeOf(inForce ?? row.newest), ...(inForce && { state: 'disabled' }) },
      )
    assertMayUse(principal, inForce.category_id)
    const { source, type, key_ids: keyIds } = inForce
    const reopened = await reopenEvents(trx, { source, type, keyIds }, atOnce)
    if (reopened.length > 0) await auditBinding(trx, principal, 'replay', currentOf(row))
    return reopened
  })
  const answers: EventAnswer[] = []
  for (const event of events.slice(0, atOnce)) answers.push(await settleEvent(services, event))
  return countsOf(events.length, answers)
}

function countsOf(events: number, answers: EventAnswer[]): EventReplay {
  const errors: Partial<Record<EventError, number>> = {}
  for (const answer of answers) if ('error' in answer) errors[answer.error] = (errors[answer.error] ?? 0) + 1
  const successes = answers.filter((answer) => 'accepted' in answer)
  const messages = successes.filter(({ messageId }) => messageId !== null).length
  const runs = successes.reduce((sum, { runs = 0 }) => sum + runs, 0)
  return { events, messages, runs, errors, waiting: events - answers.length }
}

import { ServiceError } from '../../contract/errors.ts'
import type { MessageRow } from '../../db/queries/locked-message.ts'

/**
 * Refuses an answer to something that was shown before it changed (shapes, Messages).
 * @throws ServiceError invalid_transition
 */
export function assertVersion(message: MessageRow, shown: number | undefined): void {
  if (shown === undefined || shown === message.version) return
  throw new ServiceError(
    'invalid_transition',
    `The message has changed since version ${shown}: read it again and decide anew.`,
    { state: message.state, by: message.created_by, at: message.changed_at.toISOString() },
  )
}

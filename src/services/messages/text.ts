import type { CanonicalMessage } from '../../contract/messages/content.ts'
import { findFrozen } from '../../db/queries/message/content.ts'
import type { MessageRow } from '../../db/tables.ts'
import type { Violation } from '../../domain/audience.ts'
import type { Channel } from '../../domain/channel-plan.ts'
import type { Services } from '../context.ts'
import type { CompiledContent } from './compile.ts'
import { renderDraft } from './ready.ts'

export type CompiledText = {
  messages: CanonicalMessage[]
  violations: Violation[]
  compiled: CompiledContent
}

/**
 * What a message says on a channel: frozen from submit on, rendered now before it. What ended as a draft was never
 * frozen.
 * @throws ServiceError missing_variable, not_configured, validation_error where the category was switched off
 */
export async function compiledText(
  services: Services,
  message: MessageRow,
  channel: Channel,
): Promise<CompiledText> {
  const frozen = await findFrozen(services.db, message.id)
  if (frozen)
    return { messages: frozen.messages, violations: [], compiled: frozen.compiled as CompiledContent }
  return renderDraft(services, services.db, message, [channel])
}

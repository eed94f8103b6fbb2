import { z } from 'zod'
import type { CompiledContent } from '../../channels/channel.ts'
import { sampleMail } from '../../channels/email/sample.ts'
import type { Channel } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Preview, PreviewMessage } from '../../contract/messages/dry-run.ts'
import type { MessageRow } from '../../db/tables.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { validationError } from '../validation-error.ts'
import { compiledText } from './prepare.ts'
import { readableMessage } from './read.ts'

const Readable = z.array(CanonicalMessage)

/**
 * The content a recipient with this language gets on a channel, first and as the reminder: for a draft what submit would
 * freeze now, later what it froze.
 * @throws ServiceError not_found, forbidden for a personal message the caller may not read, missing_variable,
 *   content_violation if rendering made it invalid, not_configured, validation_error for a channel it does not use
 */
export async function previewMessage(
  services: Services,
  principal: Principal,
  id: string,
  { locale, channel }: PreviewMessage,
): Promise<Preview> {
  const message = await readableMessage(services.db, principal, id)
  assertChannelInPlan(message, channel)
  const { messages, violations, compiled, compiledReminder } = await compiledText(services, message, channel)
  if (!Readable.safeParse(messages).success)
    throw new ServiceError(
      'content_violation',
      'The message is invalid once its variables are filled in; see details. Change the variables.',
      { violations },
    )
  const shared = { locale, messages, violations }
  const reminder = message.remind_at && (compiledReminder ?? compiled)
  switch (channel) {
    case 'chat': {
      const shown = (content: CompiledContent) => ({ calls: content.chat!.locales[locale]!.parts })
      return { channel, ...shared, ...shown(compiled), ...(reminder && { reminder: shown(reminder) }) }
    }
    case 'email': {
      const shown = (content: CompiledContent) => {
        const [[letter]] = content.email!.locales[locale]!.parts
        return sampleMail(letter, services.publicUrl ?? '')
      }
      return { channel, ...shared, ...shown(compiled), ...(reminder && { reminder: shown(reminder) }) }
    }
  }
}

/** @throws ServiceError validation_error */
export function assertChannelInPlan({ channel_plan: { channels } }: MessageRow, channel: Channel): void {
  if (channels.includes(channel)) return
  const message = `must be a channel of the message: ${channels.join(', ')}`
  throw validationError([{ path: 'channel', message }])
}

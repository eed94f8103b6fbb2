import { z } from 'zod'
import type { CompiledContent } from '../../channels/channel.ts'
import { adapters } from '../../channels/index.ts'
import { type Channel, type Locale, locales } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Preview, PreviewMessage } from '../../contract/messages/dry-run.ts'
import { broken } from '../../contract/rules.ts'
import type { MessageRow } from '../../db/tables.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { validationError } from '../validation-error.ts'
import { type CompiledText, compiledText } from './prepare.ts'
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
  options: PreviewMessage,
): Promise<Preview> {
  const { message } = await readableMessage(services.db, principal, id)
  assertChannelInPlan(message, options.channel)
  return previewOf(services, message, await compiledText(services, message, [options.channel]), options)
}

/**
 * The same on every channel of its plan, in each language, of one rendering.
 * @throws ServiceError as `previewMessage` does
 */
export async function previewEverywhere(
  services: Services,
  principal: Principal,
  id: string,
): Promise<Preview[]> {
  const { message } = await readableMessage(services.db, principal, id)
  const { channels } = message.channel_plan
  return previewsOf(services, message, await compiledText(services, message, channels))
}

/** Whether content can be shown: its variables may have made it invalid. */
export function isReadable({ messages }: Pick<CompiledText, 'messages'>): boolean {
  return Readable.safeParse(messages).success
}

/**
 * What each channel of a message's plan shows in each language, of content that was compiled for all of them.
 * @throws ServiceError as `previewOf` does
 */
export function previewsOf(
  services: Pick<Services, 'publicUrl'>,
  message: Pick<MessageRow, 'channel_plan' | 'remind_at'>,
  text: CompiledText,
): Preview[] {
  return message.channel_plan.channels.flatMap((channel) =>
    locales.map((locale) => previewOf(services, message, text, { locale, channel })),
  )
}

/**
 * What a channel shows of content that was compiled for it.
 * @throws ServiceError content_violation if rendering made it invalid
 */
export function previewOf(
  { publicUrl }: Pick<Services, 'publicUrl'>,
  { remind_at }: Pick<MessageRow, 'remind_at'>,
  { messages, violations, compiled, compiledReminder }: CompiledText,
  { locale, channel }: PreviewMessage,
): Preview {
  if (!isReadable({ messages }))
    throw new ServiceError(
      'content_violation',
      'The message is invalid once its variables are filled in; see details. Change the variables.',
      { violations },
    )
  const reminder = remind_at && (compiledReminder ?? compiled)
  const viewOf = (content: CompiledContent) => shownOn(channel, content, locale, publicUrl ?? '')
  const preview = { channel, locale, messages, violations, ...viewOf(compiled) }
  return { ...preview, ...(reminder && { reminder: viewOf(reminder) }) } as Preview
}

function shownOn<C extends Channel>(channel: C, content: CompiledContent, locale: Locale, publicUrl: string) {
  const { parts } = content[channel]!.locales[locale]!
  return adapters[channel].preview(parts, publicUrl)
}

/** @throws ServiceError validation_error */
export function assertChannelInPlan(
  { channel_plan: { channels } }: Pick<MessageRow, 'channel_plan'>,
  channel: Channel,
): void {
  if (channels.includes(channel)) return
  throw validationError([{ path: 'channel', ...broken('not_one_of', { of: 'channels', values: channels }) }])
}

import type { Compiled } from '../../channels/channel.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import { findUnit } from '../../db/queries/identity/unit.ts'
import type { MessageRow } from '../../db/tables.ts'
import type { Channel } from '../../domain/channel-plan.ts'
import type { Services } from '../context.ts'
import { categoryOf } from './ready.ts'
import { compiledText } from './text.ts'

const mark: CanonicalMessage = {
  kind: 'text',
  text: { 'zh-TW': '【測試】這是測試訊息，只寄給您一人。', en: '[Test] This message goes to you alone.' },
}

/** Names no message, so a tap in a test is nobody's answer. */
const nowhere = { m: '00000000-0000-0000-0000-000000000000' }

/**
 * What a message says on a channel, compiled once more with a mark at its head and in its subject.
 * @throws ServiceError content_violation, and as `compiledText` does
 */
export async function testContent(
  services: Services,
  message: MessageRow,
  channel: Channel,
): Promise<Compiled<unknown>['locales']> {
  const { messages, violations } = await compiledText(services, message, channel)
  if (violations.length > 0)
    throw new ServiceError('content_violation', `The ${channel} channel cannot carry this; see details.`, {
      violations,
    })
  const category = await categoryOf(services.db, message)
  const content = {
    messages: [mark, ...messages],
    remind: message.remind_at !== null,
    subject: marked(message.title),
    unit: (await findUnit(services.db, message.unit_id))!.name,
    category: category.name,
    unsubscribe: category.layer !== 'mandatory',
  }
  return services.channels[channel]!.compile(content, nowhere).locales
}

function marked({ 'zh-TW': zh, en = zh }: LocalisedText): LocalisedText {
  return { 'zh-TW': `[測試] ${zh}`, en: `[Test] ${en}` }
}

import { type Channel, channels } from '../../contract/enums.ts'
import type { ChannelFacts } from '../channel-facts.ts'
import { chatFacts } from '../chat/facts.ts'
import { emailFacts } from '../email/facts.ts'

/** The facts of each channel (docs/design/channels.md). */
export const channelFacts: Record<Channel, ChannelFacts> = { chat: chatFacts, email: emailFacts }

/** A value of each channel, by its name. */
export function byChannel<Value>(
  choose: (facts: ChannelFacts, channel: Channel) => Value,
): Record<Channel, Value> {
  const values = channels.map((channel) => [channel, choose(channelFacts[channel], channel)] as const)
  return Object.fromEntries(values) as Record<Channel, Value>
}

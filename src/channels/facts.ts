import type { Channel } from '../contract/enums.ts'
import type { ChannelFacts } from './channel-facts.ts'
import { chatFacts } from './chat/facts.ts'
import { emailFacts } from './email/facts.ts'

/** The facts of each channel (docs/design/channels.md). */
export const channelFacts: Record<Channel, ChannelFacts> = { chat: chatFacts, email: emailFacts }

import type { Compiled, TrackLink } from '../channels/channel.ts'
import type { Origin } from '../channels/chat/taps.ts'
import type { Channel } from '../contract/enums.ts'
import type { LocalisedText } from '../contract/localised-text.ts'
import type { CanonicalMessage } from '../contract/messages/content.ts'
import type { SendingUnit } from '../domain/content/sending-unit.ts'
import type { ContentWave } from '../domain/message/reminder-time.ts'

/** The content to compile: the producer's messages, and the facts a channel may add around them. */
export type ContentToCompile = {
  messages: CanonicalMessage[]
  /** The wave that sends it. */
  wave: ContentWave
  /** The title of the message. */
  subject: LocalisedText
  unit: SendingUnit
  categoryId: string
  /** Name of the category. */
  category: LocalisedText
  /** Whether recipients can turn the category off. */
  unsubscribe: boolean
  /** Whether the chat may show options below it, where the next message hides them. Omitted: yes. */
  quickReplies?: boolean
  /** Links lead through Carillon, which counts clicks: in the chat where this says. Omitted: straight to their URL. */
  trackLink?: TrackLink
}

/** Compiles content for a channel; pure. `origin` names what its buttons belong to. */
type Compile<C extends Channel> = (content: ContentToCompile, origin: Origin) => Compiled<C>

/** The channels of this installation. For a plan with others, dry-run and submit throw not_configured. */
export type ChannelRegistry = { [C in Channel]?: { compile: Compile<C> } }

import type { Logger } from 'pino'
import type { Compiled, TrackLink } from '../channels/channel.ts'
import type { ChatReply } from '../channels/chat/send.ts'
import type { Origin } from '../channels/chat/taps.ts'
import type { ChatLinkSigner } from '../channels/chat/tracked-links.ts'
import type { ClearedParts } from '../channels/cleared.ts'
import type { LinkSigner } from '../channels/email/links.ts'
import type { Channel } from '../contract/enums.ts'
import type { LocalisedText } from '../contract/localised-text.ts'
import type { CanonicalMessage } from '../contract/messages/content.ts'
import type { Db } from '../db/connect.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { ContentWave } from '../domain/reminder-time.ts'
import type { SendingUnit } from '../domain/sending-unit.ts'
import type { SigningKeys, SigningSources } from '../domain/signing-sources.ts'
import type { Wake } from '../temporal/wake.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { Rendering } from './rendering/rendering.ts'
import type { SecretBox } from './secret-box.ts'

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
export type Compile<C extends Channel> = (content: ContentToCompile, origin: Origin) => Compiled<C>

/** The channels of this installation. For a plan with others, dry-run and submit throw not_configured. */
export type ChannelRegistry = { [C in Channel]?: { compile: Compile<C> } }

/** Sends one marked test message to one person. `parts`: compiled as for a real send, with a retry key for each, and
 * cleared by the person they go to. */
export type TestSender<C extends Channel> = (call: {
  to: { id: string; address: string }
  parts: ClearedParts[C]
  retryKeys: string[]
  messageId: string
}) => Promise<Outcome>

/** The dependencies of the services; made once per process. */
export type Services = {
  db: Db
  wake: Wake
  channels: ChannelRegistry
  /** The time zone of the calendar months in which quota is counted. */
  quotaTimeZone: string
  /** The keys that sign events and Lookups. */
  signingKeys: SigningKeys
  /** The sources whose events each signing key may raise. */
  signingSources: SigningSources
  /** Days for which webhook events are kept, and so recognised when they come again; 0: forever. */
  webhookRetentionDays: number
  /** Reads and renders what users write. */
  rendering: Rendering
  /** Calls the addresses that users configure. */
  outbound: Outbound
  /** Encrypts signing secrets; undefined without SECRETS_KEY. */
  secrets?: SecretBox | undefined
  /** Signs and verifies the links in mails; undefined without SECRETS_KEY. */
  links?: LinkSigner | undefined
  /** Signs and verifies the tracked links of messages in the chat; undefined without SECRETS_KEY. */
  chatLinks?: ChatLinkSigner | undefined
  /** The public address of this installation, without a trailing slash; undefined without PUBLIC_URL. */
  publicUrl?: string | undefined
  /** The unit whose people answer for the conversational assistant, by its id or name; undefined without AVATAR_UNIT. */
  avatarUnit?: string | undefined
  /** Send test messages while the caller waits; undefined for channels that are not configured. */
  testSenders?: { [C in Channel]?: TestSender<C> }
  /** The host name of the mail server, by which its answers about recipients are judged; undefined without SMTP_HOST. */
  mailServer?: string | undefined
  /** Answers a person in the chat by the token of their event; undefined where chat is not configured. */
  replyChat?: ((reply: ChatReply) => Promise<Outcome>) | undefined
  log: Logger
}

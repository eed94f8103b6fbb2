import type { Logger } from 'pino'
import type { Compiled, Parts } from '../channels/channel.ts'
import type { LinkSigner } from '../channels/email/links.ts'
import type { Channel } from '../contract/enums.ts'
import type { LocalisedText } from '../contract/localised-text.ts'
import type { CanonicalMessage } from '../contract/messages/content.ts'
import type { Db } from '../db/connect.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Wake } from '../temporal/wake.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { SecretBox } from './secret-box.ts'

/** What is compiled: the producer's messages, and what a channel may have to say around them. */
export type ContentToCompile = {
  messages: CanonicalMessage[]
  /** Whether the intent has a remindAt. */
  remind: boolean
  /** The title of the message. */
  subject: LocalisedText
  /** Name of the unit that sends. */
  unit: string
  /** Name of the category. */
  category: LocalisedText
  /** Whether the category can be switched off by its readers. */
  unsubscribe: boolean
}

/** What compiles a content for a channel; pure. `origin` says whose buttons they are. */
export type Compile<C extends Channel> = (content: ContentToCompile, origin: { m: string }) => Compiled<C>

/** The channels this installation has. A plan may name others; submit then answers not_configured. */
export type ChannelRegistry = { [C in Channel]?: { compile: Compile<C> } }

/** Sends one marked message to one person. `parts`: compiled, as for a real send; a retry key for each. */
export type TestSender<C extends Channel> = (call: {
  to: { id: string; address: string }
  parts: Parts[C]
  retryKeys: string[]
  messageId: string
}) => Promise<Outcome>

/** What every verb needs; made once per process. */
export type Services = {
  db: Db
  poke: Wake
  channels: ChannelRegistry
  /** The zone whose calendar months the quota is counted in. */
  quotaTimeZone: string
  /** Calls addresses that users have configured. */
  outbound: Outbound
  /** Keeps secrets that we sign with; undefined without SECRETS_KEY. */
  secrets?: SecretBox | undefined
  /** Signs and reads the links in mails; undefined without SECRETS_KEY. */
  links?: LinkSigner | undefined
  /** Where people reach us from outside, without a slash at its end; undefined without PUBLIC_URL. */
  publicUrl?: string | undefined
  /** For those who ask for a test and wait; undefined for channels that are not set up. */
  testSenders?: { [C in Channel]?: TestSender<C> }
  log: Logger
}

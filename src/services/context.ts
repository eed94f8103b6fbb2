import type { Logger } from 'pino'
import type { ReplyToChat } from '../channels/chat/send.ts'
import type { ChatLinkSigner } from '../channels/chat/tracked-links.ts'
import type { Senders } from '../channels/connection.ts'
import type { LinkSigner } from '../channels/email/links.ts'
import type { ChannelRegistry } from '../channels/index.ts'
import type { Db } from '../db/connect.ts'
import type { SigningKeys, SigningSources } from '../domain/event/signing-sources.ts'
import type { Wake } from '../temporal/wake.ts'
import type { Pictures } from './media/pictures.ts'
import type { MediaStores } from './media/store.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { Rendering } from './rendering/rendering.ts'
import type { SecretBox } from './secret-box.ts'

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
  /** Keeps pictures, and the public address from which recipients load them; undefined without MEDIA_URL and PUBLIC_URL. */
  media?: { stores: MediaStores; pictures: Pictures; url: string } | undefined
  /** By these test messages are sent while the caller waits. */
  senders?: Senders
  /**
   * The host name of the mail server, by which its answers about recipients are classified; undefined without
   * SMTP_HOST.
   */
  mailServer?: string | undefined
  /** Answers a person in the chat by the token of their event; undefined where chat is not configured. */
  replyChat?: ReplyToChat | undefined
  /**
   * Applies webhook events in the process that took them, once so many are stored. Returns at once, never throws and
   * guarantees nothing: what it leaves waits for a worker, as all events do where it is undefined.
   */
  applyAtOnce?: (stored: number) => void
  log: Logger
}

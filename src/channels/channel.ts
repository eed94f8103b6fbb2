import type { LocalisedText } from '../contract/localised-text.ts'
import type { Channel } from '../domain/channel-plan.ts'
import type { Locale } from '../domain/words.ts'

/** Something in the producer's messages that a channel cannot show. It goes out in dry-run and content_violation. */
export type Violation = {
  /** Where it stands in the producer's messages, e.g. `messages[0].actions[1].label.en`. */
  path: string
  code: string
  /** The number that was passed; its unit belongs to the code and is named in the message. */
  limit?: number
  /** What the author should do about it. */
  message: LocalisedText
}

/**
 * What a message becomes on a channel. `parts` are provider calls, in order; each holds the provider's own messages.
 * With violations the parts are not fit to be sent.
 */
export type Compiled<P> = { locales: Record<Locale, { parts: P[][] }>; violations: Violation[] }

/** How one try of one provider call ended: what every channel's `send` answers, and the delivery judges. */
export type { Outcome } from '../domain/outcome.ts'

/**
 * How a channel's provider is, for GET /v1/health. `quota`: the account's messages this month, where it counts them;
 * no limit is null.
 */
export type ChannelHealth =
  | { state: 'ok'; quota?: { limit: number | null; used: number } }
  | { state: 'misconfigured' | 'unavailable'; code: string }

/** What each channel will send, as it is stored with the message: provider calls per locale. */
export type CompiledContent = Partial<Record<Channel, Pick<Compiled<unknown>, 'locales'>>>

/** Provider calls one recipient costs on a channel: those of the longer language. */
export function callsPerRecipient(compiled: CompiledContent, channel: Channel): number {
  const locales = Object.values(compiled[channel]?.locales ?? {})
  return Math.max(0, ...locales.map(({ parts }) => parts.length))
}

import type { Channel, Locale } from '../contract/enums.ts'
import type { Violation } from '../domain/audience.ts'
import type { ChatMessage } from './chat/wire.ts'
import type { CompiledEmail } from './email/wire.ts'

/** What is sent on each channel: provider calls, in order, each with what it holds. A mail is one call with one letter. */
export type Parts = { chat: ChatMessage[][]; email: [[CompiledEmail]] }

/** What a message becomes on a channel, in every language. With violations the parts are not fit to be sent. */
export type Compiled<C extends Channel> = {
  locales: Record<Locale, { parts: Parts[C] }>
  violations: Violation[]
}

/** What each channel of a message will send, as it is stored with it. Where a language is missing, nothing is sent in it. */
export type CompiledContent = { [C in Channel]?: { locales: { [L in Locale]?: { parts: Parts[C] } } } }

/** How one try of one provider call ended: what every channel's `send` answers, and the delivery judges. */
export type { Outcome } from '../domain/outcome.ts'

/**
 * How a channel's provider is, for GET /v1/health. `quota`: the account's messages this month, where it counts them;
 * no limit is null.
 */
export type ChannelHealth =
  | { state: 'ok'; quota?: { limit: number | null; used: number } }
  | { state: 'misconfigured' | 'unavailable'; code: string }

/** Provider calls one recipient costs on a channel: those of the longer language. */
export function callsPerRecipient(compiled: CompiledContent, channel: Channel): number {
  const locales = Object.values(compiled[channel]?.locales ?? {})
  return Math.max(0, ...locales.map(({ parts }) => parts.length))
}

import type { Channel, Locale } from '../contract/enums.ts'
import type { Violation } from '../domain/audience/audience.ts'
import type { LinkPosition } from '../domain/content/web-link.ts'
import type { ChatMessage } from './chat/wire.ts'
import type { CompiledEmail } from './email/wire.ts'

/** What one provider call carries, and what a message is in calls: a mail is one. */
type Sent = OfEach<{
  chat: { call: ChatMessage[]; parts: ChatMessage[][] }
  email: { call: CompiledEmail; parts: [[CompiledEmail]] }
}>
type OfEach<Entries extends Record<Channel, unknown>> = Entries

/** What one provider call of each channel carries. */
export type CallContent = { [C in Channel]: C extends keyof Sent ? Sent[C]['call'] : never }

/** What each channel sends: provider calls in order, each with its content. */
export type Parts = { [C in Channel]: C extends keyof Sent ? Sent[C]['parts'] : never }

/** A message compiled for a channel, in every language. Content with violations must not be sent. */
export type Compiled<C extends Channel> = {
  locales: Record<Locale, { parts: Parts[C] }>
  violations: Violation[]
}

/** What each channel of a message sends, as stored with the message. A missing language is not sent. */
export type CompiledContent = { [C in Channel]?: { locales: { [L in Locale]?: { parts: Parts[C] } } } }

/**
 * The address that replaces the URL of a link in the chat, and counts clicks. A mail has an address of its own
 * for each recipient, which is written when it is sent.
 */
export type TrackLink = (position: LinkPosition) => string

/** How one try of one provider call ended. Every channel's `send` returns it; the delivery activities classify it. */
export type { Outcome } from '../domain/message/outcome.ts'

/** What a request to a provider ended with: the class of its answer, a status that stands for itself, or no answer. */
const requestStatuses = ['2xx', '3xx', '409', '429', '4xx', '5xx', 'timeout', 'aborted', 'no_answer'] as const
export type RequestStatus = (typeof requestStatuses)[number]

/** Takes note of a request to a provider that began at `startedAt` (performance.now()) and has just ended. */
export type ObserveRequest = (channel: Channel, status: RequestStatus, startedAt: number) => void

/** The status of an answer by its code: of HTTP (RFC 9110), or of SMTP (RFC 5321), which has the same classes. */
export function requestStatusOf(code: number): RequestStatus {
  const exact = requestStatuses.find((status) => status === String(code))
  return exact ?? requestStatuses.find((status) => status === `${Math.floor(code / 100)}xx`) ?? 'no_answer'
}

/**
 * The state of a channel's provider, for GET /v1/health. `quota`: the account's messages this month, where the provider
 * counts them; a null limit means unlimited.
 */
export type ChannelHealth =
  | { state: 'ok'; quota?: { limit: number | null; used: number } }
  | { state: 'misconfigured' | 'unavailable'; code: string }

/** Provider calls per recipient on a channel, in the language that needs the most. */
export function callsPerRecipient(compiled: CompiledContent, channel: Channel): number {
  const locales = Object.values(compiled[channel]?.locales ?? {})
  return Math.max(0, ...locales.map(({ parts }) => parts.length))
}

import { limits } from '../contract/limits.ts'
import type { ReceivedEvent } from '../domain/event/received-event.ts'
import { canonicalJson } from '../domain/lib/canonical-json.ts'
import { sha256 } from '../signing.ts'

/** How far a provider's clock may be ahead of this server's (ms). */
const aheadMs = 5 * 60_000

/** Keeps an unreadable event for inspection. Its provider id stays free for a readable event. */
export function unreadable(kept: unknown, address: string | null, receivedAt: Date): ReceivedEvent {
  return {
    eventId: digestOf(kept),
    type: 'unreadable',
    address,
    subjectId: null,
    occurredAt: receivedAt.toISOString(),
    payload: kept ?? {},
    outcome: 'unreadable',
  }
}

/**
 * A value as Postgres can store it: NUL characters and lone surrogates become U+FFFD, values nested too deep and
 * infinite numbers become null, and null members are left out.
 */
export function storable(value: unknown, depth: number = limits.jsonDepth): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return null
  if (Array.isArray(value)) return value.map((inner) => storable(inner, depth - 1))
  const members = Object.entries(value).map(([name, inner]) => [
    storableText(name),
    storable(inner, depth - 1),
  ])
  return Object.fromEntries(members.filter(([, inner]) => inner !== null))
}

function storableText(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed()
}

/** The provider's id of an event, or a digest of it where there is none, or one that is not stored as it was sent. */
export function eventIdOf(raw: unknown, name: string, id: string | undefined, event: object): string {
  return id !== undefined && (raw as Record<string, unknown>)[name] === id ? id : digestOf(event)
}

/** A digest of the content, without the delivery context, which differs between redeliveries. */
function digestOf(kept: unknown): string {
  const content = typeof kept === 'object' ? { ...kept, deliveryContext: undefined } : kept
  return sha256(canonicalJson(content)).toString('hex')
}

/** The event's instant (ms since the epoch); `receivedAt` if that is impossible (before 1970 or in the future), as it orders events. */
export function momentOf(at: number | undefined, receivedAt: Date): string {
  const isPossible = at !== undefined && at >= 0 && at <= receivedAt.getTime() + aheadMs
  return (isPossible ? new Date(at) : receivedAt).toISOString()
}

import { z } from 'zod'
import { readTap } from '../../channels/chat/taps.ts'
import { mailAddress } from '../../channels/email/address.ts'
import { limits } from '../../contract/limits.ts'
import { type AvatarEvent, ChatEvent, EmailEvent, TypedText } from '../../contract/webhooks.ts'
import type { EventSubject, NewWebhookEvent } from '../../db/queries/event/webhook.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'
import { folded } from '../../domain/scenario/question.ts'
import { sha256 } from '../../signing.ts'
import { idOrNull } from '../validation-error.ts'

/** How far a provider's clock may be ahead of this server's (ms). */
const aheadMs = 5 * 60_000

/**
 * A chat event as it is stored. An event in a group chat has no subject. An event without the provider's id, or with an
 * unstorable one, is identified by a digest of its content.
 */
export function readChatEvent(raw: unknown, receivedAt: Date): NewWebhookEvent {
  const kept = storable(raw)
  const { data: event } = ChatEvent.safeParse(kept)
  if (!event) return unreadable(kept, ofPerson.safeParse(kept).data?.source.userId ?? null, receivedAt)
  const { type, source, timestamp, webhookEventId } = event
  return {
    eventId: isIn(raw, 'webhookEventId', webhookEventId) ? webhookEventId : digestOf(event),
    type,
    address: source?.type === 'user' ? (source.userId ?? null) : null,
    subjectId: null,
    occurredAt: momentOf(timestamp, receivedAt),
    payload: event,
    outcome: null,
    about: subjectOf(event),
  }
}

/** The longest text that may be a keyword, before it is folded. */
const keywordLength = 200

/** What a chat event is about, as far as it says so itself. */
function subjectOf({ type, postback, message }: ChatEvent): EventSubject | undefined {
  if (type === 'follow') return { trigger: 'follow' }
  if (type === 'postback') {
    const tapped = readTap(postback?.data ?? '')
    const runId = idOrNull(tapped?.s)
    if (runId !== null) return { runId }
    const messageId = idOrNull(tapped?.m)
    return messageId === null ? undefined : { messageId }
  }
  const text = type === 'message' ? TypedText.safeParse(message).data?.text : undefined
  return text !== undefined && text.length <= keywordLength
    ? { trigger: `keyword:${folded(text)}` }
    : undefined
}

/** A bounce or complaint as it is stored. */
export function readEmailEvent(raw: unknown, receivedAt: Date): NewWebhookEvent {
  const kept = storable(raw)
  const { data: event } = EmailEvent.safeParse(kept)
  if (!event) return unreadable(kept, addressIn(ofMailbox.safeParse(kept).data?.address), receivedAt)
  const { id, type, address, messageId, at } = event
  return {
    eventId: isIn(raw, 'id', id) ? id : digestOf(event),
    type,
    address: addressIn(address),
    subjectId: messageId === undefined ? null : subjectIn(messageId),
    occurredAt: momentOf(at === undefined ? undefined : Date.parse(at), receivedAt),
    payload: event,
    outcome: null,
  }
}

/** An event of the assistant as it is stored, under the chat address of its person. */
export function readAssistantEvent(raw: AvatarEvent, receivedAt: Date): NewWebhookEvent {
  const { eventId, type, conversationId, channelUser, text, occurredAt } = storable(raw) as AvatarEvent
  // What else the assistant sends is not read, and therefore not stored.
  const event = {
    eventId,
    type,
    conversationId,
    channelUser,
    ...(text !== undefined && { text }),
    occurredAt,
  }
  return {
    eventId: eventId === raw.eventId ? eventId : digestOf(event),
    type,
    address: channelUser,
    subjectId: null,
    occurredAt: momentOf(Date.parse(occurredAt), receivedAt),
    payload: event,
    outcome: null,
  }
}

/** The person of an unreadable event, so that an erasure deletes it too. */
const ofPerson = z.looseObject({ source: z.looseObject({ userId: z.string().max(200) }) })
const ofMailbox = z.looseObject({ address: z.string().max(320) })

/** Keeps an unreadable event for inspection. Its provider id stays free for a readable event. */
function unreadable(kept: unknown, address: string | null, receivedAt: Date): NewWebhookEvent {
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
function storable(value: unknown, depth: number = limits.jsonDepth): unknown {
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

/** Whether the member is stored exactly as it was sent. */
function isIn(raw: unknown, name: string, text: string | undefined): text is string {
  return text !== undefined && (raw as Record<string, unknown>)[name] === text
}

/** A digest of the content, without the delivery context, which differs between redeliveries. */
function digestOf(kept: unknown): string {
  const said = typeof kept === 'object' ? { ...kept, deliveryContext: undefined } : kept
  return sha256(canonicalJson(said)).toString('hex')
}

/** The event's instant; `receivedAt` if that is impossible (before 1970 or in the future), as it orders events. */
function momentOf(at: number | undefined, receivedAt: Date): string {
  const isPossible = at !== undefined && at >= 0 && at <= receivedAt.getTime() + aheadMs
  return (isPossible ? new Date(at) : receivedAt).toISOString()
}

function addressIn(text: string | undefined): string | null {
  return text === undefined ? null : (mailAddress(text) ?? text)
}

/** Carillon's Message-ID names wave and subject: `<wave.subject@domain>`. */
function subjectIn(messageId: string): string | null {
  return idOrNull(/^<?[0-9a-f-]{36}\.([0-9a-f-]{36})@/i.exec(messageId)?.[1])
}

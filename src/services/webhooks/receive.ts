import { adapters } from '../../channels/index.ts'
import { eventIdOf, momentOf, storable } from '../../channels/received.ts'
import type { Channel, WebhookSource } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { AvatarEvent, WebhookReceipt } from '../../contract/webhooks.ts'
import {
  addressChannel,
  insertWebhookEvents,
  type NewWebhookEvent,
  type StoredEvents,
} from '../../db/queries/event/webhook.ts'
import { isUnavailable } from '../../db/unavailable.ts'
import type { ReceivedEvent } from '../../domain/event/received-event.ts'
import { outdatedWebhookEvents } from '../../metrics/rows.ts'
import { addressHasher } from '../address-hash.ts'
import type { Services } from '../context.ts'

type Parts = Pick<Services, 'db' | 'log' | 'secrets' | 'webhookRetentionDays' | 'applyAtOnce'>

const dayMs = 24 * 3_600_000

/** Stores the events of a channel's provider, and waits for nothing else: a provider times out after two seconds. */
export function receiveWebhook(
  parts: Parts,
  channel: Channel,
  { events }: { events: unknown[] },
  now: Date,
): Promise<WebhookReceipt> {
  const read = adapters[channel].readEvent
  if (!read) throw new Error(`The channel ${channel} has no webhook`)
  return take(
    parts,
    channel,
    events.map((event) => read(event, now)),
    now,
  )
}

/**
 * Stores an event of the conversational assistant.
 * @throws ServiceError not_configured without a unit whose people answer for it
 */
export async function receiveAssistantWebhook(
  parts: Parts & Pick<Services, 'avatarUnit'>,
  event: AvatarEvent,
  now: Date,
): Promise<WebhookReceipt> {
  if (parts.avatarUnit === undefined)
    throw new ServiceError(
      'not_configured',
      'This installation has no unit that answers for the assistant. Ask its operator to set AVATAR_UNIT.',
    )
  return take(parts, 'avatar', [readAssistantEvent(event, now)], now)
}

async function take(
  parts: Parts,
  channel: WebhookSource,
  events: NewWebhookEvent[],
  now: Date,
): Promise<WebhookReceipt> {
  const kept = withoutOutdated(events, now, parts.webhookRetentionDays)
  const outdated = events.length - kept.length
  if (outdated > 0) outdatedWebhookEvents.inc({ channel }, outdated)
  const { stored, unreadable } = await store(parts, channel, await hashed(parts, channel, kept))
  parts.applyAtOnce?.(stored)
  return { stored, ...(unreadable > 0 && { unreadable }), ...(outdated > 0 && { outdated }) }
}

/**
 * Leaves out the events that would be past their retention already: a repetition of one of them could not be recognised,
 * because the first is deleted. The signature does not tell when it was made.
 */
function withoutOutdated(events: NewWebhookEvent[], now: Date, days: number): NewWebhookEvent[] {
  if (days === 0) return events
  const oldest = now.getTime() - days * dayMs
  return events.filter(({ occurredAt }) => Date.parse(occurredAt) >= oldest)
}

/**
 * The events with the hashes of their addresses, by which an erasure finds those of an address that was unbound. Where
 * the key is not at hand they are stored without.
 */
async function hashed(
  { db, secrets, log }: Parts,
  channel: WebhookSource,
  events: NewWebhookEvent[],
): Promise<NewWebhookEvent[]> {
  try {
    const hashOf = await addressHasher(db, secrets)
    return events.map((event) => ({
      ...event,
      ...(event.address !== null && { addressHash: hashOf(addressChannel(channel), event.address) }),
    }))
  } catch (err) {
    if (!(err instanceof ServiceError)) throw err
    log.warn(
      { channel, events: events.length, err },
      'Webhook events are stored without hashes of their addresses',
    )
    return events
  }
}

/** Stores all events in one statement; if the database rejects it, one by one, so that only the bad one fails. */
async function store(parts: Parts, channel: WebhookSource, events: NewWebhookEvent[]): Promise<StoredEvents> {
  const { db, log } = parts
  try {
    return await insertWebhookEvents(db, channel, events)
  } catch (err) {
    if (isUnavailable(err)) throw err
    log.warn(
      { channel, events: events.length, err },
      'Storing webhook events failed; storing them one by one',
    )
  }
  if (events.length === 1) return insertWebhookEvents(db, channel, events.map(unreadableEvent))
  const sum = { stored: 0, unreadable: 0 }
  for (const event of events) {
    const { stored, unreadable } = await store(parts, channel, [event])
    sum.stored += stored
    sum.unreadable += unreadable
  }
  return sum
}

/** Records only that the event arrived. */
function unreadableEvent({ eventId, occurredAt }: NewWebhookEvent): NewWebhookEvent {
  const noSubject = { address: null, subjectId: null, payload: {} }
  return { eventId, occurredAt, type: 'unreadable', outcome: 'unreadable', ...noSubject }
}

/** An event of the assistant as it is stored, under the chat address of its person. */
function readAssistantEvent(raw: AvatarEvent, receivedAt: Date): ReceivedEvent {
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
    eventId: eventIdOf(raw, 'eventId', eventId, event),
    type,
    address: channelUser,
    subjectId: null,
    occurredAt: momentOf(Date.parse(occurredAt), receivedAt),
    payload: event,
    outcome: null,
  }
}

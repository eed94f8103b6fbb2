import type { Channel } from '../../contract/enums.ts'
import type { ChatWebhook, EmailWebhook, WebhookReceipt } from '../../contract/webhooks/webhook.ts'
import {
  insertWebhookEvents,
  type NewWebhookEvent,
  type StoredEvents,
} from '../../db/queries/event/webhook.ts'
import { isUnavailable } from '../../db/unavailable.ts'
import type { Services } from '../context.ts'
import { readChatEvent, readEmailEvent } from './read.ts'

type Parts = Pick<Services, 'db' | 'log'>

/** Only stores the chat provider's events: the provider times out after two seconds. */
export function receiveChatWebhook(
  parts: Parts,
  { events }: ChatWebhook,
  now: Date,
): Promise<WebhookReceipt> {
  return take(
    parts,
    'chat',
    events.map((event) => readChatEvent(event, now)),
  )
}

/** Stores bounces and complaints. */
export function receiveEmailWebhook(
  parts: Parts,
  { events }: EmailWebhook,
  now: Date,
): Promise<WebhookReceipt> {
  return take(
    parts,
    'email',
    events.map((event) => readEmailEvent(event, now)),
  )
}

async function take(parts: Parts, channel: Channel, events: NewWebhookEvent[]): Promise<WebhookReceipt> {
  const { stored, unreadable } = await store(parts, channel, events)
  return { stored, ...(unreadable > 0 && { unreadable }) }
}

/** Stores all events in one statement; if the database rejects it, one by one, so that only the bad one fails. */
async function store(parts: Parts, channel: Channel, events: NewWebhookEvent[]): Promise<StoredEvents> {
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

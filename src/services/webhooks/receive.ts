import type { Channel } from '../../contract/enums.ts'
import type { ChatWebhook, EmailWebhook, WebhookTaken } from '../../contract/webhooks/webhook.ts'
import {
  insertWebhookEvents,
  type NewWebhookEvent,
  type StoredEvents,
} from '../../db/queries/event/webhook.ts'
import { isUnavailable } from '../../db/unavailable.ts'
import type { Services } from '../context.ts'
import { readChatEvent, readEmailEvent } from './read.ts'

type Parts = Pick<Services, 'db' | 'log'>

/** Stores what the chat provider told; nothing else, for it waits two seconds and no longer. */
export function receiveChatWebhook(parts: Parts, { events }: ChatWebhook, now: Date): Promise<WebhookTaken> {
  return take(
    parts,
    'chat',
    events.map((event) => readChatEvent(event, now)),
  )
}

/** The same for bounces and complaints. */
export function receiveEmailWebhook(
  parts: Parts,
  { events }: EmailWebhook,
  now: Date,
): Promise<WebhookTaken> {
  return take(
    parts,
    'email',
    events.map((event) => readEmailEvent(event, now)),
  )
}

async function take(parts: Parts, channel: Channel, events: NewWebhookEvent[]): Promise<WebhookTaken> {
  const { stored, unreadable } = await store(parts, channel, events)
  return { stored, ...(unreadable > 0 && { unreadable }) }
}

/** All in one statement; where the database refuses it, each by itself, so that one costs the others nothing. */
async function store(parts: Parts, channel: Channel, events: NewWebhookEvent[]): Promise<StoredEvents> {
  const { db, log } = parts
  try {
    return await insertWebhookEvents(db, channel, events)
  } catch (err) {
    if (isUnavailable(err)) throw err
    log.warn({ channel, events: events.length, err }, 'Events of a channel could not be stored as they are')
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

/** Nothing of it but that it came. */
function unreadableEvent({ eventId, occurredAt }: NewWebhookEvent): NewWebhookEvent {
  const nobody = { address: null, subjectId: null, payload: {} }
  return { eventId, occurredAt, type: 'unreadable', outcome: 'unreadable', ...nobody }
}

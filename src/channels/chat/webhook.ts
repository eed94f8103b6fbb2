import { z } from 'zod'
import { ChatEvent, TypedText } from '../../contract/webhooks.ts'
import type { EventSubject, ReceivedEvent } from '../../domain/event/received-event.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { normaliseText } from '../../domain/lib/normalise-text.ts'
import { eventIdOf, momentOf, storable, unreadable } from '../received.ts'
import { readTap } from './taps.ts'

/**
 * A chat event as it is stored. An event in a group chat has no subject. An event without the provider's id, or with an
 * unstorable one, is identified by a digest of its content.
 */
export function readChatEvent(raw: unknown, receivedAt: Date): ReceivedEvent {
  const kept = storable(raw)
  const { data: event } = ChatEvent.safeParse(kept)
  if (!event) return unreadable(kept, ofPerson.safeParse(kept).data?.source.userId ?? null, receivedAt)
  const { type, source, timestamp, webhookEventId } = event
  return {
    eventId: eventIdOf(raw, 'webhookEventId', webhookEventId, event),
    type,
    address: source?.type === 'user' ? (source.userId ?? null) : null,
    subjectId: null,
    occurredAt: momentOf(timestamp, receivedAt),
    payload: event,
    outcome: null,
    about: subjectOf(event),
  }
}

/** The person of an unreadable event, so that an erasure deletes it too. */
const ofPerson = z.looseObject({ source: z.looseObject({ userId: z.string().max(200) }) })

/** The longest text that may be a keyword, before it is normalised. */
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
    ? { trigger: `keyword:${normaliseText(text)}` }
    : undefined
}

import { eventIdOf, momentOf, storable } from '../../channels/received.ts'
import type { AvatarEvent } from '../../contract/webhooks.ts'
import type { ReceivedEvent } from '../../domain/event/received-event.ts'

/** An event of the assistant as it is stored, under the chat address of its person. */
export function readAssistantEvent(raw: AvatarEvent, receivedAt: Date): ReceivedEvent {
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

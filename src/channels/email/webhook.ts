import { z } from 'zod'
import { EmailEvent } from '../../contract/webhooks.ts'
import type { ReceivedEvent } from '../../domain/event/received-event.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { eventIdOf, momentOf, storable, unreadable } from '../received.ts'
import { mailAddress } from './address.ts'

/** A bounce or complaint as it is stored. */
export function readEmailEvent(raw: unknown, receivedAt: Date): ReceivedEvent {
  const kept = storable(raw)
  const { data: event } = EmailEvent.safeParse(kept)
  if (!event) return unreadable(kept, addressIn(ofMailbox.safeParse(kept).data?.address), receivedAt)
  const { id, type, address, messageId, at } = event
  return {
    eventId: eventIdOf(raw, 'id', id, event),
    type,
    address: addressIn(address),
    subjectId: messageId === undefined ? null : subjectIn(messageId),
    occurredAt: momentOf(at === undefined ? undefined : Date.parse(at), receivedAt),
    payload: event,
    outcome: null,
  }
}

/** The address of an unreadable event, so that an erasure deletes it too. */
const ofMailbox = z.looseObject({ address: z.string().max(320) })

function addressIn(text: string | undefined): string | null {
  return text === undefined ? null : (mailAddress(text) ?? text)
}

/** Carillon's Message-ID names wave and subject: `<wave.subject@domain>`. */
function subjectIn(messageId: string): string | null {
  return idOrNull(/^<?[0-9a-f-]{36}\.([0-9a-f-]{36})@/i.exec(messageId)?.[1])
}

import { mailAddress } from '../../channels/email/address.ts'
import type {
  ChatEvent,
  ChatWebhook,
  EmailEvent,
  EmailWebhook,
  WebhookTaken,
} from '../../contract/webhook.ts'
import type { Db } from '../../db/connect.ts'
import { insertWebhookEvents, type NewWebhookEvent } from '../../db/queries/webhook.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import { sha256 } from '../../signing.ts'
import { idOrNull } from '../invalid.ts'

/** Stores what the chat provider told; nothing else, for it waits two seconds and no longer. */
export async function receiveChatWebhook(db: Db, { events }: ChatWebhook, now: Date): Promise<WebhookTaken> {
  return {
    stored: await insertWebhookEvents(
      db,
      'chat',
      events.map((event) => ofChat(event, now)),
    ),
  }
}

/** The same for bounces and complaints. */
export async function receiveEmailWebhook(
  db: Db,
  { events }: EmailWebhook,
  now: Date,
): Promise<WebhookTaken> {
  return {
    stored: await insertWebhookEvents(
      db,
      'email',
      events.map((event) => ofEmail(event, now)),
    ),
  }
}

/** What happens in a group is nobody's own. An event without the provider's id is known by what it says. */
function ofChat(event: ChatEvent, now: Date): NewWebhookEvent {
  const { type, source, timestamp, webhookEventId } = event
  return {
    eventId: webhookEventId ?? sha256(canonicalJson(event)).toString('hex'),
    type,
    address: source?.type === 'user' ? (source.userId ?? null) : null,
    subjectId: null,
    occurredAt: (timestamp === undefined ? now : new Date(timestamp)).toISOString(),
    payload: event,
  }
}

function ofEmail(event: EmailEvent, now: Date): NewWebhookEvent {
  const { id, type, address, messageId, at } = event
  return {
    eventId: id,
    type,
    address: address === undefined ? null : (mailAddress(address) ?? address),
    subjectId: messageId === undefined ? null : subjectIn(messageId),
    occurredAt: (at === undefined ? now : new Date(at)).toISOString(),
    payload: event,
  }
}

/** Our Message-IDs name the wave and the subject: `<wave.subject@domain>`. */
function subjectIn(messageId: string): string | null {
  return idOrNull(/^<?[0-9a-f-]{36}\.([0-9a-f-]{36})@/i.exec(messageId)?.[1])
}

import type { Trx } from '../../db/connect.ts'
import {
  deferWebhookEvent,
  endWebhookEvent,
  lockFollows,
  takeWebhookEvent,
  type WebhookEvent,
} from '../../db/queries/event/webhook.ts'
import { findSubjectByAddress } from '../../db/queries/subject/address.ts'
import type { Services } from '../context.ts'
import { processNext, type Queue } from '../queue.ts'
import { applyChatEvent, followEventTypes } from './chat.ts'
import { applyEmailEvent } from './email.ts'

/** Processes the next webhook event. Returns false if there is none. */
export function processNextWebhookEvent(services: Pick<Services, 'db' | 'log'>): Promise<boolean> {
  return processNext(services, events)
}

const events: Queue<WebhookEvent> = {
  take: takeWebhookEvent,
  process: async (trx, event) => endWebhookEvent(trx, event.id, await endingOf(trx, event)),
  defer: async (db, { id }) => ({ webhookEventId: id, ...(await deferWebhookEvent(db, id)) }),
}

/** An event of an unknown address stays recorded: the address may be bound later. */
async function endingOf(trx: Trx, event: WebhookEvent) {
  const { channel, address } = event
  // Two events may be processed concurrently, and binding the address reads the last one.
  if (address !== null && followEventTypes.includes(event.type)) await lockFollows(trx, address)
  const subjectId =
    (address === null ? undefined : await findSubjectByAddress(trx, channel, address)) ?? event.subjectId
  if (subjectId === null) return { outcome: address === null ? 'ignored' : 'unknown_user', subjectId }
  const outcome = await (channel === 'chat' ? applyChatEvent : applyEmailEvent)(trx, event, subjectId)
  return { outcome, subjectId }
}

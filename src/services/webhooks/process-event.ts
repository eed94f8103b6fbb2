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
export function processNextWebhookEvent(services: WebhookServices): Promise<boolean> {
  return processNext(services, eventsOf(services))
}

/** What applying events needs. */
type WebhookServices = Pick<Services, 'db' | 'log' | 'secrets'>

function eventsOf({ secrets }: WebhookServices): Queue<WebhookEvent> {
  return {
    take: takeWebhookEvent,
    process: async (trx, event) => endWebhookEvent(trx, event.id, await endingOf(trx, event, secrets)),
    defer: async (db, { id }) => ({ webhookEventId: id, ...(await deferWebhookEvent(db, id)) }),
  }
}

/**
 * A chat event of an unknown address stays recorded: the address may be bound later. A bounce or a complaint counts for
 * the address, bound or not.
 */
async function endingOf(trx: Trx, event: WebhookEvent, secrets: Services['secrets']) {
  const { channel, address } = event
  // Two events may be processed concurrently, and binding the address reads the last one.
  if (address !== null && followEventTypes.includes(event.type)) await lockFollows(trx, address)
  const subjectId =
    (address === null ? undefined : await findSubjectByAddress(trx, channel, address)) ?? event.subjectId
  if (channel === 'email')
    return { outcome: await applyEmailEvent({ db: trx, secrets }, event, subjectId), subjectId }
  if (subjectId === null) return { outcome: address === null ? 'ignored' : 'unknown_user', subjectId }
  return { outcome: await applyChatEvent(trx, event, subjectId), subjectId }
}

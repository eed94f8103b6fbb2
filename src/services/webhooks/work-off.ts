import type { Trx } from '../../db/connect.ts'
import {
  endWebhookEvent,
  lockFollows,
  putOffWebhookEvent,
  takeWebhookEvent,
  type WebhookEvent,
} from '../../db/queries/event/webhook.ts'
import { findSubjectByAddress } from '../../db/queries/subject/address.ts'
import type { Services } from '../context.ts'
import { type Queue, workOffNext } from '../queue.ts'
import { opensOrCloses, workOffChatEvent } from './chat.ts'
import { workOffEmailEvent } from './email.ts'

/** Works off the next event. False: there is none. */
export function workOffWebhookEvent(services: Pick<Services, 'db' | 'log'>): Promise<boolean> {
  return workOffNext(services, events)
}

const events: Queue<WebhookEvent> = {
  take: takeWebhookEvent,
  work: async (trx, event) => endWebhookEvent(trx, event.id, await endingOf(trx, event)),
  putOff: async (db, { id }) => ({ webhookEventId: id, ...(await putOffWebhookEvent(db, id)) }),
}

/** Whoever we do not know may be known later, under the same address; what they told stays recorded until then. */
async function endingOf(trx: Trx, event: WebhookEvent) {
  const { channel, address } = event
  // Two that came in at once are worked off at once; and whoever binds the address asks what it did last.
  if (address !== null && opensOrCloses.includes(event.type)) await lockFollows(trx, address)
  const subjectId =
    (address === null ? undefined : await findSubjectByAddress(trx, channel, address)) ?? event.subjectId
  if (subjectId === null) return { outcome: address === null ? 'ignored' : 'unknown_user', subjectId }
  const outcome = await (channel === 'chat' ? workOffChatEvent : workOffEmailEvent)(trx, event, subjectId)
  return { outcome, subjectId }
}

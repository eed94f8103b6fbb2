import type { ChatReply } from '../../channels/chat/send.ts'
import type { Trx } from '../../db/connect.ts'
import {
  deferWebhookEvent,
  endWebhookEvent,
  lockFollows,
  takeWebhookEvent,
  type WebhookEvent,
} from '../../db/queries/event/webhook.ts'
import { findSubjectByAddress } from '../../db/queries/subject/address.ts'
import { countAnswer } from '../../temporal/metrics.ts'
import type { Services } from '../context.ts'
import { processNext, type Queue } from '../queue.ts'
import { wakeRuns } from '../scenarios/wake-runs.ts'
import { acknowledge } from './acknowledge.ts'
import { applyChatEvent, type ChatEnding, followEventTypes } from './chat.ts'
import { applyEmailEvent } from './email.ts'

/** Processes the next webhook event. Returns false if there is none. */
export async function processNextWebhookEvent(services: WebhookServices): Promise<boolean> {
  const after: AfterCommit = { replies: [], wakes: [], answers: [] }
  const found = await processNext(services, eventsOf(services, after))
  wakeRuns(services, after.wakes, 'started')
  for (const outcome of after.answers) countAnswer(outcome)
  for (const reply of after.replies) acknowledge(services, reply)
  return found
}

/** What applying events needs. */
type WebhookServices = Pick<Services, 'db' | 'log' | 'secrets' | 'replyChat' | 'wake'>

/** What follows once the transaction has committed: replies to send, runs of scenarios to wake, outcomes of answers. */
type AfterCommit = { replies: ChatReply[]; wakes: string[]; answers: string[] }

function eventsOf({ secrets }: WebhookServices, after: AfterCommit): Queue<WebhookEvent> {
  return {
    take: takeWebhookEvent,
    process: async (trx, event) => {
      const { reply, wakes = [], answers = false, ...ending } = await endingOf(trx, event, secrets)
      await endWebhookEvent(trx, event.id, { ...ending, replied: Boolean(reply) })
      if (reply) after.replies.push(reply)
      after.wakes.push(...wakes)
      if (answers) after.answers.push(ending.outcome)
    },
    defer: async (db, { id }) => {
      after.replies.length = 0
      after.wakes.length = 0
      after.answers.length = 0
      return { webhookEventId: id, ...(await deferWebhookEvent(db, id)) }
    },
  }
}

/**
 * A chat event of an unknown address stays recorded: the address may be bound later. A bounce or a complaint counts for
 * the address, bound or not.
 */
async function endingOf(
  trx: Trx,
  event: WebhookEvent,
  secrets: Services['secrets'],
): Promise<ChatEnding & { subjectId: string | null }> {
  const { channel, address } = event
  // Two events may be processed concurrently, and binding the address reads the last one.
  if (address !== null && followEventTypes.includes(event.type)) await lockFollows(trx, address)
  const subjectId =
    (address === null ? undefined : await findSubjectByAddress(trx, channel, address)) ?? event.subjectId
  if (channel === 'email')
    return { outcome: await applyEmailEvent({ db: trx, secrets }, event, subjectId), subjectId }
  if (subjectId === null) return { outcome: address === null ? 'ignored' : 'unknown_user', subjectId }
  return { ...(await applyChatEvent(trx, event, subjectId)), subjectId }
}

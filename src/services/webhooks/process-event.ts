import type { ChatReply } from '../../channels/chat/send.ts'
import type { WebhookSource } from '../../contract/enums.ts'
import type { Trx } from '../../db/connect.ts'
import {
  addressChannel,
  deferWebhookEvent,
  endWebhookEvent,
  lockFollows,
  takeWebhookEvent,
  type WebhookEvent,
} from '../../db/queries/event/webhook.ts'
import { findSubjectByAddress } from '../../db/queries/subject/address.ts'
import { countAnswer, countHandoff, type HandoffEvent } from '../../metrics/rows.ts'
import { inSpan } from '../../tracing/spans.ts'
import type { Services } from '../context.ts'
import { type AppliedAssistantEvent, applyAssistantEvent } from '../handoffs/assistant-event.ts'
import { handleHandoffText } from '../handoffs/handle-text.ts'
import { processNext, type Queue } from '../queue.ts'
import { acknowledge, type ChatEnding } from '../recipients/acknowledge.ts'
import { type ToldRun, wakeRuns } from '../wake-scenario-runs.ts'
import { applyChatEvent, followEventTypes } from './chat.ts'
import { applyEmailEvent } from './email.ts'

/** Applies the next webhook event, and wakes the runs that it concerns. Returns false if there is none. */
export async function processNextWebhookEvent(services: WebhookServices): Promise<boolean> {
  const after: AfterCommit = { replies: [], wakes: [], answers: [], handoffs: [] }
  const hadEvent = await processNext(services, eventsOf(services, after))
  wakeRuns(services, after.wakes)
  for (const outcome of after.answers) countAnswer(outcome)
  for (const event of after.handoffs) countHandoff(event)
  for (const reply of after.replies) acknowledge(services, reply)
  return hadEvent
}

/** What applying events needs. */
export type WebhookServices = Pick<
  Services,
  'db' | 'log' | 'secrets' | 'avatarUnit' | 'replyChat' | 'wake' | 'mailServer' | 'links' | 'publicUrl'
>

/**
 * What follows once the transaction has committed: replies to send, runs of scenarios to wake, outcomes of answers and events
 * of handoffs to count.
 */
type AfterCommit = {
  replies: ChatReply[]
  wakes: ToldRun[]
  answers: string[]
  handoffs: HandoffEvent[]
}

function eventsOf(services: WebhookServices, after: AfterCommit): Queue<WebhookEvent> {
  return {
    take: takeWebhookEvent,
    process: async (trx, event) => {
      const applied = await inSpan(
        'webhook apply',
        { parent: null, attributes: factsOf(event) },
        async (span) => {
          const ended = await endingOf(trx, event, services)
          span?.set({ 'carillon.outcome': ended.outcome })
          return ended
        },
      )
      const { reply, wakes = [], answers = false, handoff, isStored = false, ...ending } = applied
      if (!isStored) await endWebhookEvent(trx, event.id, { ...ending, replied: Boolean(reply) })
      if (reply) after.replies.push(reply)
      after.wakes.push(...wakes)
      if (answers) after.answers.push(ending.outcome)
      if (handoff) after.handoffs.push(handoff)
    },
    defer: async (db, { id }) => {
      for (const list of Object.values(after)) list.length = 0
      return { webhookEventId: id, ...(await deferWebhookEvent(db, id)) }
    },
  }
}

/** Of the span in which an event is applied: what it starts stands in that trace. Its type is the sender's to choose. */
function factsOf({ id, channel }: WebhookEvent) {
  return { 'carillon.webhook_event.id': id, 'carillon.source': channel }
}

/**
 * A chat event of an unknown address stays recorded: the address may be bound later. A bounce or a complaint counts for
 * the address, bound or not; so does what the assistant hands over. What people do counts for the person who was bound
 * when it arrived, even if the address has moved since; a follow or a block is about the address.
 */
async function endingOf(
  trx: Trx,
  event: WebhookEvent,
  services: WebhookServices,
): Promise<ChatEnding & AppliedAssistantEvent & { subjectId: string | null }> {
  const { channel, address } = event
  // Two events may be processed concurrently, and binding the address reads the last one.
  const isFollow = followEventTypes.includes(event.type)
  if (address !== null && isFollow) await lockFollows(trx, address)
  const { fromPeople, apply } = readers[channel]
  const storedSubject = fromPeople && !isFollow ? event.subjectId : null
  const subjectId = storedSubject ?? (await findBound(trx, event)) ?? event.subjectId
  return { ...(await apply(trx, event, subjectId, services)), subjectId }
}

async function findBound(trx: Trx, { channel, address }: WebhookEvent): Promise<string | undefined> {
  return address === null ? undefined : findSubjectByAddress(trx, addressChannel(channel), address)
}

/** How the events of a source are applied. */
type EventReader = {
  /** Whether its events are what people did, which counts for the person who was bound when it arrived. */
  fromPeople: boolean
  apply(
    trx: Trx,
    event: WebhookEvent,
    subjectId: string | null,
    services: WebhookServices,
  ): Promise<ChatEnding & AppliedAssistantEvent>
}

const readers: Record<WebhookSource, EventReader> = {
  chat: {
    fromPeople: true,
    apply: async (trx, event, subjectId, services) =>
      subjectId === null
        ? { outcome: await outcomeOfStranger(trx, event) }
        : applyChatEvent(trx, event, subjectId, services),
  },
  email: {
    fromPeople: false,
    apply: async (trx, event, subjectId, services) => ({
      outcome: await applyEmailEvent({ ...services, db: trx }, event, subjectId),
    }),
  },
  avatar: {
    fromPeople: true,
    apply: (trx, event, subjectId, services) => applyAssistantEvent(trx, services, event, subjectId),
  },
}

/** The outcome of a chat event from an address without a subject: the assistant may have handed it over all the same. */
async function outcomeOfStranger(trx: Trx, event: WebhookEvent): Promise<string> {
  if (event.address === null) return 'ignored'
  return event.type === 'message' && (await handleHandoffText(trx, event, null))
    ? 'handed_over'
    : 'unknown_user'
}

import { ServiceError } from '../../contract/errors.ts'
import type { EventAnswer, EventAnswers } from '../../contract/events/event.ts'
import { limits } from '../../contract/limits.ts'
import { type GivenEvent, isEventMade, recordEvents } from '../../db/queries/event/event.ts'
import { keysBarredFrom } from '../../domain/event/signing-sources.ts'
import type { EventPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { readBatch, readEvent, uidsIn } from './read-event.ts'
import { settleEvent } from './settle.ts'

/**
 * Receives one signed event: records it in its own commit, valid or not, then makes its outcome. A signature repeated within ten
 * minutes, or an event that has already made its message or started its runs, gets the first response again
 * (docs/design/events.md).
 * @throws ServiceError too_many_subjects
 */
export async function receiveEvent(
  services: Services,
  caller: EventPrincipal,
  source: string,
  event: unknown,
): Promise<EventAnswer> {
  const body = readEvent(event, digestOf(caller))
  const [answer] = await receive(services, caller, source, [{ body, uids: uidsIn(event) }])
  return answer!
}

/**
 * Receives several events under one signature: records them together, then processes them in order.
 * @throws ServiceError too_many_events, too_many_subjects; no event is recorded
 */
export async function receiveEvents(
  services: Services,
  caller: EventPrincipal,
  source: string,
  batch: unknown,
): Promise<EventAnswers> {
  const events = eventsIn(batch)
  if (events.length > limits.eventsPerBatch)
    throw new ServiceError(
      'too_many_events',
      `The batch has ${events.length} events. Send at most ${limits.eventsPerBatch} in one batch.`,
    )
  const uids = events.map(uidsIn)
  assertTogether(uids)
  const bodies = readBatch(batch, digestOf(caller))
  const named = bodies.map((body, at) => ({ body, uids: uids[at] ?? 0 }))
  return { items: await receive(services, caller, source, named) }
}

/** Under which an event is recorded that has no id of its own. */
function digestOf({ signature }: EventPrincipal): string {
  return `signature:${Buffer.from(signature).toString('hex')}`
}

/** What stands for events in what may be a batch. */
function eventsIn(batch: unknown): unknown[] {
  const { events } = (batch ?? {}) as { events?: unknown }
  return Array.isArray(events) ? events : []
}

async function receive(
  services: Services,
  { keyId, signature }: EventPrincipal,
  source: string,
  events: { body: GivenEvent; uids: number }[],
): Promise<EventAnswer[]> {
  const barredKeys = keysBarredFrom(services.signingSources, source)
  for (const event of events) await assertSize(services, { source, barredKeys }, event)
  const bodies = events.map((event) => event.body)
  const signed = await recordEvents(services.db, { source, keyId, signature, events: bodies, barredKeys })
  const answers: EventAnswer[] = []
  for (const eventId of signed.eventIds) {
    const answer = await settleEvent(services, { source: signed.source, eventId })
    if (signed.invalid.includes(eventId)) answers.push({ ...answer, duplicate: false })
    else answers.push(signed.changed.includes(eventId) ? { ...answer, differs: true } : answer)
  }
  return answers
}

/** Limits the subjects of a batch: its events are recorded together. */
function assertTogether(uids: number[]): void {
  const count = uids.reduce((sum, named) => sum + named, 0)
  if (count <= limits.subjectsPerBatch) return
  throw new ServiceError(
    'too_many_subjects',
    `The batch names ${count} subjects. Send at most ${limits.subjectsPerBatch} in one batch.`,
  )
}

/** Limits the subjects of an event, unless it gets its first response again. */
async function assertSize(
  { db }: Services,
  { source, barredKeys }: { source: string; barredKeys: string[] },
  { body: { eventId }, uids }: { body: GivenEvent; uids: number },
): Promise<void> {
  if (uids <= limits.subjectsPerEvent) return
  if (await isEventMade(db, { source, eventId }, barredKeys)) return
  throw new ServiceError(
    'too_many_subjects',
    `The event ${eventId} names ${uids} subjects. Send at most ${limits.subjectsPerEvent} in one event.`,
  )
}

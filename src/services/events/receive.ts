import { ServiceError } from '../../contract/errors.ts'
import type { EventAnswer, EventAnswers, SystemEvent } from '../../contract/events/event.ts'
import { limits } from '../../contract/limits.ts'
import { isEventMade, recordEvents } from '../../db/queries/event/event.ts'
import { keysBarredFrom } from '../../domain/event/signing-sources.ts'
import type { EventPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { settleEvent } from './settle.ts'

/**
 * Receives one signed event: records it in its own commit, then makes its outcome. A signature repeated within ten
 * minutes, or an event that has already made its message or started its runs, gets the first response again
 * (docs/design/events.md).
 * @throws ServiceError too_many_subjects
 */
export async function receiveEvent(
  services: Services,
  caller: EventPrincipal,
  source: string,
  event: SystemEvent,
): Promise<EventAnswer> {
  const [answer] = await receive(services, caller, source, [event])
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
  events: SystemEvent[],
): Promise<EventAnswers> {
  if (events.length > limits.eventsPerBatch)
    throw new ServiceError(
      'too_many_events',
      `The batch has ${events.length} events. Send at most ${limits.eventsPerBatch} in one batch.`,
    )
  assertTogether(events)
  return { items: await receive(services, caller, source, events) }
}

async function receive(
  services: Services,
  { keyId, signature }: EventPrincipal,
  source: string,
  events: SystemEvent[],
): Promise<EventAnswer[]> {
  const barredKeys = keysBarredFrom(services.signingSources, source)
  for (const event of events) await assertSize(services, { source, barredKeys }, event)
  const signed = await recordEvents(services.db, { source, keyId, signature, events, barredKeys })
  const answers: EventAnswer[] = []
  for (const eventId of signed.eventIds) {
    const answer = await settleEvent(services, { source: signed.source, eventId })
    answers.push(signed.changed.includes(eventId) ? { ...answer, changed: true } : answer)
  }
  return answers
}

/** Limits the subjects of a batch: its events are recorded together. */
function assertTogether(events: SystemEvent[]): void {
  const count = events.reduce((sum, { subjectUids }) => sum + subjectUids.length, 0)
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
  { eventId, subjectUids }: SystemEvent,
): Promise<void> {
  if (subjectUids.length <= limits.subjectsPerEvent) return
  if (await isEventMade(db, { source, eventId }, barredKeys)) return
  throw new ServiceError(
    'too_many_subjects',
    `The event ${eventId} names ${subjectUids.length} subjects. Send at most ${limits.subjectsPerEvent} in one event.`,
  )
}

import type { EventError } from '../../contract/enums.ts'
import { type ErrorCode, RetryLater, ServiceError } from '../../contract/errors.ts'
import { type EventAnswer, EventErrorDetails } from '../../contract/events/event.ts'
import {
  deferEvent,
  type EventFailure,
  type EventKey,
  type EventRow,
  failEvent,
  lockEvent,
  takeOpenEvent,
} from '../../db/queries/event/event.ts'
import { isUnavailable } from '../../db/unavailable.ts'
import type { Services } from '../context.ts'
import { wakeRuns } from '../wake-scenario-runs.ts'
import { makeOutcome } from './outcome.ts'

/** Makes the outcome of the next open event, or defers it if that fails. Returns false if there is none. */
export async function settleNextEvent(services: Services): Promise<boolean> {
  const event = await takeOpenEvent(services.db)
  if (!event) return false
  await settleEvent(services, event).catch(async (err: unknown) => {
    const about = await deferEvent(services.db, event)
    services.log.warn({ source: event.source, ...about, err }, 'An event failed and was deferred')
  })
  return true
}

/**
 * Returns the answer to a recorded event. An event without an outcome gets one under its lock, in one transaction with
 * its message or its runs; if that fails, the transaction is rolled back and the error is the outcome. `duplicate` is false only
 * for the call that made the outcome.
 * @throws if the database is unavailable, and RetryLater if the unit has used up its steps of rendering; the event stays open
 */
export async function settleEvent(services: Services, key: EventKey): Promise<EventAnswer> {
  try {
    return await settle(services, key)
  } catch (thrown) {
    const failure = failureOf(thrown)
    if (failure.error === 'internal') log(services, key, thrown)
    if (await failEvent(services.db, key, failure)) return failedAnswer(key, failure, false)
    return await settle(services, key)
  }
}

async function settle(services: Services, key: EventKey): Promise<EventAnswer> {
  const { event, made } = await services.db.transaction().execute(async (trx) => {
    const event = await lockEvent(trx, key)
    const made = event.unit_id || event.error ? null : await makeOutcome(services, trx, event)
    return { event, made }
  })
  if (!made) return answerOf(event)
  if ('error' in made) return failedAnswer(key, made, false)
  const accepted = { accepted: true, duplicate: false, eventId: key.eventId } as const
  if ('waking' in made) {
    wakeRuns(services, made.waking, 'started')
    return { ...accepted, messageId: null, runs: made.runs }
  }
  const { messageId, approved } = made
  services.wake('message', messageId, approved ? 'approved' : 'submitted')
  return { ...accepted, messageId }
}

function answerOf({
  source,
  event_id: eventId,
  message_id: messageId,
  runs,
  error,
  details,
}: EventRow): EventAnswer {
  const accepted = { accepted: true, duplicate: true, eventId } as const
  if (messageId) return { ...accepted, messageId }
  if (runs !== null) return { ...accepted, messageId: null, runs }
  return failedAnswer({ source, eventId }, { error: error!, details }, true)
}

function failedAnswer(
  { eventId }: EventKey,
  { error, details }: EventFailure,
  duplicate: boolean,
): EventAnswer {
  return { error, ...(details && { details }), eventId, duplicate }
}

/** The error a producer sees: one that its data or its binding can fix, with what to fix, or `internal`. */
function failureOf(thrown: unknown): EventFailure {
  if (isUnavailable(thrown) || thrown instanceof RetryLater) throw thrown
  if (!(thrown instanceof ServiceError)) return { error: 'internal', details: null }
  const error = publicErrors[thrown.code] ?? 'internal'
  return { error, details: EventErrorDetails.safeParse(thrown.details).data ?? null }
}

const publicErrors: Partial<Record<ErrorCode, EventError>> = {
  missing_variable: 'missing_variable',
  content_violation: 'content_violation',
  not_found: 'no_binding', // the category is disabled
  too_many_runs: 'too_many_runs',
  forbidden: 'too_many_people', // no person has approved the version in force
}

function log({ log }: Services, { source }: EventKey, thrown: unknown): void {
  log.error({ err: thrown, source }, 'Event processing failed')
}

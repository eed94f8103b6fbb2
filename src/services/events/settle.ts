import type { EventError } from '../../contract/enums.ts'
import { type ErrorCode, RetryLater, ServiceError } from '../../contract/errors.ts'
import { type EventAnswer, EventErrorDetails } from '../../contract/events/event.ts'
import {
  deferEvent,
  type EventFailure,
  type EventKey,
  type EventRow,
  failEvent,
  type LockedEvent,
  lockEvent,
  takeOpenEvent,
} from '../../db/queries/event/event.ts'
import { isUnavailable } from '../../db/unavailable.ts'
import type { Services } from '../context.ts'
import { telling, wakeRuns } from '../wake-scenario-runs.ts'
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
 * its message or its runs; if that fails, the transaction is rolled back and the error is the outcome. `duplicate` is
 * false only for the call that made the outcome.
 * @throws if the database is unavailable, and RetryLater if the unit has used up its steps of rendering; the event stays open
 */
export async function settleEvent(services: Services, key: EventKey): Promise<EventAnswer> {
  try {
    return await settle(services, key)
  } catch (thrown) {
    const failure = failureOf(thrown)
    if (failure.error === 'internal') log(services, key, thrown)
    const failed = await failEvent(services.db, key, failure)
    const answer = await settle(services, key)
    return failed ? { ...answer, duplicate: false } : answer
  }
}

async function settle(services: Services, key: EventKey): Promise<EventAnswer> {
  const { event, outcome } = await services.db.transaction().execute(async (trx) => {
    const event = await lockEvent(trx, key)
    const outcome = event.unit_id || event.error ? null : await makeOutcome(services, trx, event)
    return { event, outcome }
  })
  const received = { eventId: key.eventId, unknownUids: unknownOf(event) }
  if (event.unnamed) return { ...failedIn(event), ...received, eventId: null, duplicate: true }
  if (!outcome) return { ...outcomeOf(event), ...received, duplicate: true }
  if ('error' in outcome) return { ...failedOutcome(outcome), ...received, duplicate: false }
  const accepted = { accepted: true, ...received, duplicate: false } as const
  if ('waking' in outcome) {
    wakeRuns(services, telling('started', outcome.waking))
    return { ...accepted, messageId: null, runs: outcome.runs }
  }
  const { messageId, told } = outcome
  services.wake('message', messageId, told)
  return { ...accepted, messageId }
}

function unknownOf({ subject_uids: uids, known: subjects }: LockedEvent): number {
  return new Set(uids).size - subjects.uids.length
}

/** What an event came to before. */
function outcomeOf(event: EventRow) {
  const { message_id: messageId, runs } = event
  if (messageId) return { accepted: true, messageId } as const
  if (runs !== null) return { accepted: true, messageId: null, runs } as const
  return failedIn(event)
}

function failedIn({ error, details }: EventRow) {
  return failedOutcome({ error: error!, details })
}

function failedOutcome({ error, details }: EventFailure) {
  return { error, message: eventErrorMessages[error], ...(details && { details }) }
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

const then = 'Then send the event again, or replay it.'

/** Why an event made nothing, in words, with what to do next. */
export const eventErrorMessages: Record<EventError, string> = {
  no_subjects: `None of its uids is known, and its binding has no query. Import or bind the people first. ${then}`,
  no_binding: `No binding of this source and type is in force and enabled for this key, or its category is disabled. Create one with POST /v1/event-bindings, and have it approved. ${then}`,
  no_template: `The binding has neither template nor scenario. Give it one. ${then}`,
  no_scenario: `The scenario of the binding is not active, or is now of another or a disabled category. Activate it, or change the binding. ${then}`,
  missing_variable: 'data lacks required variables; details lists them. Send the event again with them.',
  content_violation:
    'No channel can carry the content with these data; details lists why. Change the data or the template. Then send the ' +
    'event again.',
  too_many_runs: `The unit has too many open runs. Wait until conversations end, or cancel some. ${then}`,
  too_many_people: `The scenario would start for more people in 24 hours than its category allows without a person's approval. Have its version approved by a person. ${then}`,
  invalid_event:
    'The event is recorded, but it is not valid; details lists what is wrong. Mend it, and send it again under the same id.',
  internal: 'Carillon failed, and has logged why. Send the event again later, or replay it.',
}

import { type ErrorCode, ServiceError } from '../../contract/errors.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { findCredential } from '../../db/queries/identity/key.ts'
import { findPersonPrincipal } from '../../db/queries/identity/session.ts'
import { insertAuthors } from '../../db/queries/message/content.ts'
import { insertOwnMessage } from '../../db/queries/message/message.ts'
import { insertScheduleNotices } from '../../db/queries/message/notice.ts'
import { lockStarts } from '../../db/queries/scenario-run/start.ts'
import { insertStart } from '../../db/queries/scenario-run/start-call.ts'
import { hasOccurred, insertOccurrences } from '../../db/queries/schedule/occurrence.ts'
import {
  closing,
  lockScheduleOfRun,
  type ScheduleRow,
  updateSchedule,
} from '../../db/queries/schedule/schedule.ts'
import { type Principal, scheduleActor } from '../../domain/rights/principal.ts'
import { type DueOccurrences, occurrenceKey } from '../../domain/schedule/occurrence.ts'
import { countOccurrences } from '../../metrics/rows.ts'
import type { Services } from '../context.ts'
import { checkAutomatically } from '../messages/approve.ts'
import type { LockedMessage } from '../messages/move.ts'
import { assertMayAsk } from '../messages/rights.ts'
import { submit } from '../messages/submit.ts'
import { startChecked } from '../scenario-runs/start-runs.ts'
import { telling, wakeRuns } from '../wake-scenario-runs.ts'
import { draftFor, startFor } from './content.ts'
import { auditSchedule } from './create.ts'
import { type Due, dueNow, missedOf, occurrenceOf } from './due-occurrences.ts'
import { whenOf } from './timing.ts'

/** Refused and failed occurrences in a row that disable a schedule. */
const failuresMost = 3

/**
 * Makes the occurrence of a schedule that is due, in one transaction with what it makes, and moves the schedule to what is
 * due next; those that were missed are recorded (docs/design/schedules.md). If a rule refuses, all of it is rolled
 * back, and the error is the outcome. Does nothing if nothing is due.
 * @throws if a retry may help; the occurrence is still due
 */
export async function makeOccurrence(services: Services, scheduleId: string): Promise<void> {
  let schedule: ScheduleRow | undefined
  try {
    const outcome = await services.db.transaction().execute(async (trx) => {
      const due = await lockDue(trx, scheduleId)
      if (!due) return null
      schedule = due.row
      return occur(services, trx, due)
    })
    if (outcome) announce(services, outcome)
  } catch (error) {
    if (!(error instanceof ServiceError) || passing.has(error.code) || !schedule) throw error
    await recordFailure(services, schedule, error)
  }
}

/** Errors that end by themselves: the occurrence is tried again, until it is too late for it. */
const passing = new Set<ErrorCode>(['unavailable', 'rate_limited', 'retryable', 'provider', 'internal'])

async function lockDue(trx: Trx, scheduleId: string): Promise<Due | null> {
  const row = await lockScheduleOfRun(trx, scheduleId)
  return row ? dueNow(trx, row) : null
}

/** What an occurrence made, if one was made, and how many were missed before it. */
type Outcome = {
  missed: number
  message?: { id: string; told: LockedMessage['told'] }
  runIds?: string[]
}

async function occur(services: Services, trx: Trx, { row, due }: Due): Promise<Outcome> {
  await insertOccurrences(trx, missedOf(row, due))
  const missed = due.missed.length
  const again = due.make !== null && (await hasOccurred(trx, row.id, occurrenceKey(whenOf(row), due.make)))
  if (due.make === null || again) {
    await moveOn(trx, row, due, {})
    return { missed }
  }
  const principal = await principalOf(trx, row.acts_for)
  assertMayAsk(principal, 'create', row.unit_id)
  const occurrence = { row, due, at: due.make, principal }
  const outcome = row.message ? await makeMessage(services, trx, occurrence) : await makeRuns(trx, occurrence)
  return { missed, ...outcome }
}

type Making = Due & { at: number; principal: Principal }

/** Makes, submits and checks the message as that of an event is, the ledger last. */
async function makeMessage(services: Services, trx: Trx, { row, due, at, principal }: Making) {
  const { id, unit_id: unitId } = row
  const actor = scheduleActor(id)
  const of = { unitId, message: row.message!, dueAt: at, checksVariables: false }
  const { draft, sources } = await draftFor(services, trx, principal, of)
  const locked = await insertOwnMessage(trx, {
    ...draft,
    unitId,
    idempotencyKey: null,
    bodyHash: null,
    origin: 'schedule',
    createdBy: actor,
  })
  const messageId = locked.message.id
  await insertAuthors(
    trx,
    messageId,
    row.authors.map((actor) => ({ actor, copied: false })),
  )
  const checked = await submit(services, trx, locked, { principal, actor }, sources)
  await insertOccurrences(trx, [{ ...occurrenceOf(row, due, at), outcome: 'created', message_id: messageId }])
  await moveOn(trx, row, due, { failures: 0 })
  await checkAutomatically(services, trx, locked, checked)
  return { message: { id: messageId, told: locked.told } }
}

async function makeRuns(trx: Trx, { row, due, at, principal }: Making) {
  const { id, unit_id: unitId, scenario_id } = row
  const scenarioId = scenario_id!
  const actor = scheduleActor(id)
  const { audience } = row.start!
  const { target, variables } = await startFor(trx, principal, scenarioId, row.start!)
  await lockStarts(trx, unitId)
  const call = { scenarioId, actor, idempotencyKey: null, bodyHash: null, variables }
  const startId = (await insertStart(trx, call))!
  const { started } = await startChecked(trx, principal, target, { startId, audience, actor })
  await insertOccurrences(trx, [{ ...occurrenceOf(row, due, at), outcome: 'created', runs: started.length }])
  await moveOn(trx, row, due, { failures: 0 })
  return { runIds: started }
}

/** Moves a schedule to what is due next; one that does not recur is over, and one that failed too often is disabled. */
async function moveOn(
  trx: Trx,
  row: ScheduleRow,
  { nextAt }: DueOccurrences,
  { failures = row.failures }: { failures?: number },
): Promise<'finished' | 'switched_off' | 'active'> {
  if (nextAt === null) {
    await updateSchedule(trx, row.id, { failures, state: 'finished', ...closing })
    return 'finished'
  }
  if (failures < failuresMost) {
    await updateSchedule(trx, row.id, { failures, next_at: new Date(nextAt) })
    return 'active'
  }
  const disabled = {
    state: 'disabled',
    disabled_reason: 'failures',
    next_at: null,
    plan: row.plan + 1,
  } as const
  await updateSchedule(trx, row.id, { failures, ...disabled })
  await auditSchedule(trx, 'system:run', 'disable', { id: row.id, unitId: row.unit_id }, { failures })
  return 'switched_off'
}

/** The codes that say that the rights do not suffice. */
const refusals = new Set<ErrorCode>([
  'forbidden',
  'invalid_credential',
  'category_not_allowed',
  'individual_targeting_disabled',
  'audience_dimension_not_allowed',
])

/**
 * Records that the occurrence which is due was refused or failed, and tells the approvers of the unit. Does nothing if the
 * schedule has changed since: it is then read again.
 */
async function recordFailure(services: Services, schedule: ScheduleRow, error: ServiceError): Promise<void> {
  const { code, message, details } = error
  const outcome = refusals.has(code) ? 'refused' : 'failed'
  const missed = await services.db.transaction().execute(async (trx) => {
    const current = await lockDue(trx, schedule.id)
    if (!current || current.row.version !== schedule.version) return null
    const { row, due } = current
    await insertOccurrences(trx, missedOf(row, due))
    if (due.make === null) {
      await moveOn(trx, row, due, {})
      return { [outcome]: 0, missed: due.missed.length }
    }
    const problem = { outcome, error: JSON.stringify({ code, message, details }) } as const
    await insertOccurrences(trx, [{ ...occurrenceOf(row, due, due.make), ...problem }])
    const state = await moveOn(trx, row, due, { failures: row.failures + 1 })
    const reason = state === 'switched_off' ? 'switched_off' : outcome
    await insertScheduleNotices(trx, { id: row.id, unitId: row.unit_id, version: row.version + 1 }, reason)
    return { [outcome]: 1, missed: due.missed.length }
  })
  if (missed === null) return
  countOccurrences(missed)
  services.log.warn({ scheduleId: schedule.id, outcome, code }, 'An occurrence of a schedule made nothing')
}

/** After the commit: wakes what was made, and counts. */
function announce(services: Services, { missed, message, runIds }: Outcome): void {
  countOccurrences({ missed, created: message || runIds ? 1 : 0 })
  if (message) services.wake('message', message.id, message.told)
  if (runIds) wakeRuns(services, telling('started', runIds))
}

/**
 * The principal of an actor, a key or a person, with the rights that they have now.
 * @throws ServiceError invalid_credential if the key has been revoked, forbidden if the person is gone
 */
async function principalOf(db: Db, actor: string): Promise<Principal> {
  const [kind, id] = actor.split(':') as [string, string]
  if (kind === 'person') {
    const person = await findPersonPrincipal(db, id)
    if (person) return person
    throw new ServiceError(
      'forbidden',
      `The author of this schedule is no longer a person of this installation. ${advice}`,
    )
  }
  const credential = await findCredential(db, id)
  if (credential && !credential.revoked) return credential.principal
  throw new ServiceError('invalid_credential', `The key that wrote this schedule has been revoked. ${advice}`)
}

const advice = 'Change its content with another key, or as an editor of the unit.'

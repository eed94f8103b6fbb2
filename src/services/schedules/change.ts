import { keysOf } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import { broken } from '../../contract/rules.ts'
import type { DeletedSchedule, Schedule, UpdateSchedule } from '../../contract/schedules/schedule.ts'
import type { Trx } from '../../db/connect.ts'
import {
  closeDeleted,
  lockSchedule,
  type ScheduleRow,
  updateSchedule,
} from '../../db/queries/schedule/schedule.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { countOccurrences } from '../../metrics/rows.ts'
import type { Services } from '../context.ts'
import { assertMayReach, assertMayUse } from '../messages/rights.ts'
import { assertMayEdit, findInUnits } from '../unit-access.ts'
import { validationError } from '../validation-error.ts'
import { checkedColumns } from './content.ts'
import { auditSchedule, dueAt, stateOf } from './create.ts'
import { recordUnmade } from './due-occurrences.ts'
import { getSchedule } from './read.ts'
import { type WhenFields, whenColumns, whenIn, whenOf } from './timing.ts'

/**
 * Changes, disables or enables a schedule, for the next occurrence. One that is due and not made yet is missed if the
 * schedule is disabled or given other times (docs/design/schedules.md). Who changes what it makes, or when, needs the
 * rights to it, and is who it acts for from then on (docs/design/schedules.md).
 * @throws ServiceError not_found, forbidden, invalid_transition if it is over, and what `createSchedule` throws
 */
export async function changeSchedule(
  services: Services,
  principal: Principal,
  id: string,
  body: UpdateSchedule,
): Promise<Schedule> {
  const missed = await locked(services, principal, id, async (trx, row) => {
    if (row.closed_at) throw over(row, row.closed_at)
    const change = changeOf(row, body)
    const fields = keysOf(change)
    if (fields.length === 0) return 0
    const { missed, ...set } = await changesTo(services, trx, principal, { row, body: change })
    await updateSchedule(trx, row.id, { ...set, updated_at: new Date() })
    const { enabled } = change
    const details = { fields, ...(enabled !== undefined && { enabled }) }
    await auditSchedule(trx, actorOf(principal), 'edit', { id: row.id, unitId: row.unit_id }, details)
    return missed
  })
  countOccurrences({ missed })
  services.wake('schedule', id, [{ name: 'edited', by: actorOf(principal) }])
  return getSchedule(services, principal, id)
}

/** The fields of a body that change something. Enabling a schedule that has failed resets its count. */
function changeOf(row: ScheduleRow, { at, ...others }: UpdateSchedule): UpdateSchedule {
  const body: UpdateSchedule = { ...(at !== undefined && { at: new Date(at).toISOString() }), ...others }
  const enabled = row.state === 'active' && row.failures === 0
  const current: UpdateSchedule = { name: row.name, ...whenFieldsOf(row), ...madeBy(row), enabled }
  if (body.enabled === false) current.enabled = row.state === 'active'
  const changed = keysOf(body).filter((field) => canonicalJson(body[field]) !== canonicalJson(current[field]))
  return Object.fromEntries(changed.map((field) => [field, body[field]]))
}

/** The columns that a change sets. `missed`: how many occurrences were missed before it. */
async function changesTo(
  services: Services,
  trx: Trx,
  principal: Principal,
  { row, body }: { row: ScheduleRow; body: UpdateSchedule },
) {
  const { name, message, scenario, enabled = row.state === 'active', ...fields } = body
  if (row.message ? scenario !== undefined : message !== undefined)
    throw validationError([
      {
        path: row.message ? 'scenario' : 'message',
        ...broken('unexpected', { reason: row.message ? 'makes_messages' : 'starts_scenario' }),
      },
    ])
  const when = whenIn(row.type, { ...whenFieldsOf(row), ...fields }, { timeZone: row.time_zone ?? '' })
  const rewritten = Object.keys(fields).length > 0 || message !== undefined || scenario !== undefined
  const by = actorOf(principal)
  const content = message ?? scenario
  if (body.enabled === true) assertMayReach(principal, row.category_id, (row.message ?? row.start!).audience)
  const moved = canonicalJson(when) !== canonicalJson(whenOf(row)) || enabled !== (row.state === 'active')
  return {
    missed: moved ? await recordUnmade(trx, row) : 0,
    ...(name !== undefined && { name }),
    ...(rewritten && { ...whenColumns(when), acts_for: by, authors: [...new Set([...row.authors, by])] }),
    ...(rewritten &&
      (await checkedColumns(
        services,
        trx,
        principal,
        row.unit_id,
        content ? { message, scenario } : madeBy(row),
      ))),
    ...(body.enabled === true && { failures: 0 }),
    ...(moved && {
      plan: row.plan + 1,
      ...stateOf(enabled, enabled ? await dueAt(trx, when) : new Date()),
      ...(!enabled && row.state === 'disabled' && { disabled_reason: row.disabled_reason }),
    }),
  }
}

function whenFieldsOf({ at, delay_seconds, cron, time_zone }: ScheduleRow): WhenFields {
  return {
    ...(at && { at: at.toISOString() }),
    ...(delay_seconds !== null && { delaySeconds: delay_seconds }),
    ...(cron !== null && { cron }),
    ...(time_zone !== null && { timeZone: time_zone }),
  }
}

function madeBy({ message, scenario_id, start }: ScheduleRow) {
  return message ? { message } : { scenario: { scenarioId: scenario_id!, ...start! } }
}

function over({ state, acts_for }: ScheduleRow, closedAt: Date): ServiceError {
  return new ServiceError('invalid_transition', 'This schedule has fired and is over. Create a new one.', {
    state,
    by: acts_for,
    at: closedAt.toISOString(),
  })
}

/**
 * Deletes a schedule: it is not due again, and what is due and not made yet is missed. What it made goes on.
 * @throws ServiceError not_found, forbidden
 */
export async function deleteSchedule(
  services: Services,
  principal: Principal,
  id: string,
): Promise<DeletedSchedule> {
  const missed = await locked(services, principal, id, async (trx, row) => {
    const missed = await recordUnmade(trx, row)
    await closeDeleted(trx, row)
    await auditSchedule(trx, actorOf(principal), 'delete', { id: row.id, unitId: row.unit_id })
    return missed
  })
  countOccurrences({ missed })
  services.wake('schedule', id, [{ name: 'deleted', by: actorOf(principal) }])
  return { deleted: true }
}

/** Runs `work` under the schedule's lock, for an editor of its unit. */
function locked<T>(
  { db }: Services,
  principal: Principal,
  id: string,
  work: (trx: Trx, row: ScheduleRow) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    const row = await findInUnits(trx, principal, id, 'schedule', lockSchedule)
    assertMayEdit(principal, row.unit_id)
    assertMayUse(principal, row.category_id)
    return work(trx, row)
  })
}

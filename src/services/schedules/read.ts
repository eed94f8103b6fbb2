import { isOneOf } from '../../contract/enums.ts'
import { type ContentField, contentFields } from '../../contract/messages/create.ts'
import type {
  Occurrence,
  OccurrencePage,
  Schedule,
  ScheduleListQuery,
  SchedulePage,
} from '../../contract/schedules/schedule.ts'
import { listOccurrences as listRows } from '../../db/queries/schedule/occurrence.ts'
import {
  findSchedule,
  listSchedules as listSchedulesOf,
  type ShownSchedule,
} from '../../db/queries/schedule/schedule.ts'
import { maySeeNames, maySeePersonal } from '../../domain/rights/permission.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { upcoming } from '../../domain/schedule/occurrence.ts'
import { actorView } from '../actor.ts'
import type { Services } from '../context.ts'
import { toInstant, toUtc } from '../instants.ts'
import { byId, largeItems, type PageQuery, pageOf } from '../page.ts'
import { findInUnits, unitOf } from '../unit-access.ts'
import { whenOf } from './timing.ts'

/** The times that are shown of what is next. */
const nextShown = 3

/** @throws ServiceError not_found */
export async function getSchedule({ db }: Services, principal: Principal, id: string): Promise<Schedule> {
  return scheduleOf(await findInUnits(db, principal, id, 'schedule', findSchedule), principal)
}

/**
 * One page of a unit's schedules, newest first.
 * @throws ServiceError unit_required, forbidden, validation_error for an invalid cursor
 */
export async function listSchedules(
  { db }: Services,
  principal: Principal,
  query: ScheduleListQuery,
): Promise<SchedulePage> {
  const unitId = unitOf(principal, query.unitId)
  return pageOf(
    query,
    byId,
    (page) => listSchedulesOf(db, unitId, page),
    (row) => scheduleOf(row, principal),
    largeItems,
  )
}

/**
 * One page of a schedule's occurrences, newest first.
 * @throws ServiceError not_found, validation_error for an invalid cursor
 */
export async function listOccurrences(
  { db }: Services,
  principal: Principal,
  id: string,
  query: PageQuery,
): Promise<OccurrencePage> {
  const schedule = await findInUnits(db, principal, id, 'schedule', findSchedule)
  return pageOf(query, byId, (page) => listRows(db, schedule.id, page), occurrenceOf)
}

/** A schedule as the caller may see it. */
export function scheduleOf(row: ShownSchedule, principal: Principal): Schedule {
  const { id, unit_id: unitId, name, type, state, next_at: nextAt } = row
  return {
    id,
    unitId,
    name,
    type,
    at: toInstant(row.at),
    delaySeconds: row.delay_seconds,
    cron: row.cron,
    timeZone: row.time_zone,
    message: messageOf(row, principal),
    scenario: row.start && { scenarioId: row.scenario_id!, ...row.start },
    enabled: state === 'active',
    state: state === 'deleted' ? 'finished' : state,
    disabledReason: row.disabled_reason,
    nextTimes: nextAt
      ? upcoming(whenOf(row), nextAt.getTime(), nextShown).map((at) => toUtc(new Date(at)))
      : [],
    lastOccurrence: row.last && occurrenceOf(row.last),
    consecutiveFailures: row.failures,
    actsFor: actorView(row.acts_for, row.actsForName),
    createdBy: actorView(row.created_by, row.createdByName),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** By the rules of a message: fewer see the text of a personal one, and whom it names. */
function messageOf({ message, unit_id, authors }: ShownSchedule, principal: Principal): Schedule['message'] {
  if (!message) return null
  const author = authors.includes(actorOf(principal))
  const { audience, templateId } = message
  const personal =
    (message.kind ?? (audience.kind === 'individual' ? 'personal' : 'broadcast')) === 'personal'
  const maySee = !personal || maySeePersonal(principal, unit_id, author)
  const fields = Object.entries(message).filter(([name]) => maySee || !isOneOf(contentFields, name))
  return {
    ...(Object.fromEntries(fields) as Omit<typeof message, ContentField>),
    templateId,
    audience:
      audience.kind === 'individual' ? namesOf(audience, maySeeNames(principal, unit_id, author)) : audience,
  }
}

function namesOf({ kind, uids }: { kind: 'individual'; uids: string[] }, maySee: boolean) {
  return { kind, count: uids.length, ...(maySee && { uids }) }
}

type OccurrenceFields = Pick<
  NonNullable<ShownSchedule['last']>,
  'id' | 'outcome' | 'reason' | 'message_id' | 'runs' | 'error'
> & { due_at: Date | string; at: Date | string }

function occurrenceOf({
  id,
  due_at,
  at,
  outcome,
  reason,
  message_id,
  runs,
  error,
}: OccurrenceFields): Occurrence {
  const times = { dueAt: toUtc(due_at), at: toUtc(at) }
  return { id, ...times, outcome, reason, messageId: message_id, runs, error }
}

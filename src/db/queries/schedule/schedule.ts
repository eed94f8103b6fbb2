import { type Insertable, type Selectable, sql, type UpdateObject } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Db, Trx } from '../../connect.ts'
import { inUnits, lockRow, pageOfUnit, type RowPage } from '../../rows.ts'
import type { Database, OccurrenceRow, ScheduleTable } from '../../tables.ts'
import { actorName } from '../identity/person.ts'

export type ScheduleRow = Selectable<ScheduleTable>

/** A schedule with its newest occurrence and the names of its people. Instants inside JSON are texts. */
export type ShownSchedule = ScheduleRow & {
  last: Stringified<OccurrenceRow> | null
  actsForName: string | null
  createdByName: string | null
}

type Stringified<Row> = { [Column in keyof Row]: Row[Column] extends Date ? string : Row[Column] }

type NewSchedule = Insertable<ScheduleTable>

/**
 * Inserts a schedule. `taken`: the unit has one with this key; `full`: it has `most` open ones. Nothing is written then.
 */
export async function insertSchedule(
  trx: Trx,
  schedule: NewSchedule,
  most: number,
): Promise<{ id: string } | 'taken' | 'full'> {
  // Serialises creations of a unit, so that two at once cannot exceed the limit.
  await lockRow(trx, 'unit', schedule.unit_id, 'change')
  if (schedule.idempotency_key && (await findByKey(trx, schedule.unit_id, schedule.idempotency_key)))
    return 'taken'
  const { open } = await trx
    .selectFrom('schedule')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('unit_id', '=', schedule.unit_id)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (open >= most) return 'full'
  return trx.insertInto('schedule').values(schedule).returning('id').executeTakeFirstOrThrow()
}

/**
 * The schedule of a unit with this idempotency key, and the hash of the body that created it. `deletedAt` null: it has not
 * been deleted.
 */
export async function findByKey(
  db: Db,
  unitId: string,
  key: string,
): Promise<{ id: string; bodyHash: Buffer | null; deletedAt: Date | null } | undefined> {
  return db
    .selectFrom('schedule')
    .select(['id', 'body_hash as bodyHash'])
    .select(sql<Date | null>`case when state = 'deleted' then closed_at end`.as('deletedAt'))
    .where('unit_id', '=', unitId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
}

/** A schedule of one of these units. A deleted one is not found. */
export async function findSchedule(
  db: Db,
  id: string,
  unitIds: string[],
): Promise<ShownSchedule | undefined> {
  return inUnits(selectShown(db), 's', id, unitIds).executeTakeFirst()
}

export async function listSchedules(db: Db, unitId: string, page: RowPage): Promise<ShownSchedule[]> {
  return pageOfUnit(selectShown(db), 's', unitId, page).execute()
}

/** The schedules of a unit that start this scenario when they are due, or would if they were enabled, by name. */
export async function findSchedulesStarting(
  db: Db,
  unitId: string,
  scenarioId: string,
): Promise<ShownSchedule[]> {
  return selectShown(db)
    .where('s.unit_id', '=', unitId)
    .where('s.scenario_id', '=', scenarioId)
    .where('s.closed_at', 'is', null)
    .orderBy('s.name')
    .orderBy('s.id')
    .execute()
}

function selectShown(db: Db) {
  return db
    .selectFrom('schedule as s')
    .selectAll('s')
    .select(({ ref }) => [
      actorName(ref('s.acts_for')).as('actsForName'),
      actorName(ref('s.created_by')).as('createdByName'),
    ])
    .select((from) =>
      jsonObjectFrom(
        from
          .selectFrom('occurrence as o')
          .selectAll('o')
          .whereRef('o.schedule_id', '=', 's.id')
          .orderBy('o.id', 'desc')
          .limit(1),
      )
        .$castTo<ShownSchedule['last']>()
        .as('last'),
    )
    .where('s.state', '<>', 'deleted')
}

/** A schedule of one of these units, locked for a change. Lock order: before whatever it makes. */
export async function lockSchedule(
  trx: Trx,
  id: string,
  unitIds: string[],
): Promise<ScheduleRow | undefined> {
  return inUnits(trx.selectFrom('schedule').selectAll(), 'schedule', id, unitIds)
    .where('state', '<>', 'deleted')
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** The same for its own run, whatever its unit. */
export async function lockScheduleOfRun(trx: Trx, id: string): Promise<ScheduleRow | undefined> {
  return trx.selectFrom('schedule').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Changes a locked schedule; its run observes that. */
export async function updateSchedule(
  trx: Trx,
  id: string,
  set: UpdateObject<Database, 'schedule'>,
): Promise<void> {
  await trx
    .updateTable('schedule')
    .set({ ...set, version: sql<number>`version + 1`, changed_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

/** What a closed schedule no longer is. */
export const closing = { closed_at: sql<Date>`clock_timestamp()`, next_at: null, problem: null } as const

/** Deletes a locked schedule: its occurrences stay, until they are past retention, and what it would have made goes. */
export async function closeDeleted(
  trx: Trx,
  { id, message }: Pick<ScheduleRow, 'id' | 'message'>,
): Promise<void> {
  await updateSchedule(trx, id, {
    state: 'deleted',
    disabled_reason: null,
    ...closing,
    ...(message ? { message: '{}' } : { start: '{}' }),
  })
}

import { sql } from 'kysely'
import type { PatternType, ScenarioVersionState, ShownScenarioState } from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { CalendarEntry } from '../../../contract/messages/calendar.ts'
import type { PatternQuestion } from '../../../contract/patterns/pattern.ts'
import type { PatternTerms, WholeDesign } from '../../../domain/pattern/terms.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'
import { containsLocalised, foundBy } from '../../contains.ts'
import { inUnits, lockRow, pageOfUnit, type RowPage } from '../../rows.ts'
import { type OrganiserRow, organisersOf } from '../answer/organiser.ts'
import { actorName } from '../identity/person.ts'

/** A pattern with the facts of the newest version of its scenario. `registered`: how many have a place. */
export type PatternRow = {
  id: string
  unitId: string
  scenarioId: string
  type: PatternType
  name: string
  categoryId: string
  scenarioState: ShownScenarioState
  /** The newest version, and the decision about it. `reason`: why it was rejected, or while it waits why a person decides. */
  version: number
  versionState: ScenarioVersionState
  decidedBy: string | null
  decidedByName: string | null
  decidedAt: Date | null
  reason: string | null
  /** What the newest version is made of; null: it was written as a graph. */
  design: WholeDesign | null
  /** The version that new runs follow; null: none has been in force. */
  inForce: number | null
  paused: boolean
  title: LocalisedText
  description: LocalisedText | null
  questions: PatternQuestion[]
  attendance: string | null
  deadline: Date
  over: boolean
  capacity: number | null
  registered: number
  waitingList: boolean
  calendar: CalendarEntry | null
  createdBy: string
  createdByName: string | null
  createdAt: Date
  organisers: OrganiserRow[]
}

function selectPattern(db: Db) {
  return db
    .selectFrom('pattern')
    .innerJoin('scenario as s', 's.id', 'pattern.scenario_id')
    .innerJoin('scenario_version as v', 'v.scenario_id', 's.id')
    .where(sql<boolean>`v.version = (select max(version) from scenario_version where scenario_id = s.id)`)
    .select([
      'pattern.id',
      'pattern.unit_id as unitId',
      'pattern.scenario_id as scenarioId',
      'pattern.type',
      'pattern.title',
    ])
    .select([
      'pattern.description',
      'pattern.questions',
      'pattern.attendance',
      'pattern.deadline',
      'pattern.capacity',
      'pattern.calendar',
    ])
    .select([
      'pattern.waiting_list as waitingList',
      'pattern.created_by as createdBy',
      'pattern.created_at as createdAt',
    ])
    .select(['v.name', 'v.category_id as categoryId'])
    .select(['v.version', 'v.state as versionState', 'v.reason', 'v.design'])
    .select(['v.decided_by as decidedBy', 'v.decided_at as decidedAt'])
    .select(({ ref }) => actorName(ref('v.decided_by')).as('decidedByName'))
    .select(sql<boolean>`s.state = 'paused'`.as('paused'))
    .select(
      sql<number | null>`(
        select version from scenario_version where scenario_id = s.id and state = 'in_force')`.as('inForce'),
    )
    .select(sql<boolean>`pattern.deadline <= clock_timestamp()`.as('over'))
    .select(
      sql<ShownScenarioState>`case when v.state = 'submitted' then v.state else s.state end`.as(
        'scenarioState',
      ),
    )
    .select(
      sql<number>`(
        select count(*) from registration where pattern_id = pattern.id and state = 'registered')`.as(
        'registered',
      ),
    )
    .select(({ ref }) => actorName(ref('pattern.created_by')).as('createdByName'))
    .select(organisersOf('pattern', sql`pattern.id`).as('organisers'))
}

export async function findPattern(db: Db, id: string, unitIds: string[]): Promise<PatternRow | undefined> {
  return inUnits(selectPattern(db), 'pattern', id, unitIds).executeTakeFirst()
}

/** The same, locked behind its scenario: neither its versions nor its places change meanwhile. */
export async function lockPattern(trx: Trx, id: string, unitIds: string[]): Promise<PatternRow | undefined> {
  await sql`
    select from scenario where id = (select scenario_id from pattern where id = ${id}) for no key update`.execute(
    trx,
  )
  await lockRow(trx, 'pattern', id, 'change')
  return findPattern(trx, id, unitIds)
}

/** These patterns of these units, the newest first. */
export async function findPatterns(db: Db, ids: readonly string[], unitIds: string[]): Promise<PatternRow[]> {
  if (ids.length === 0) return []
  return selectPattern(db)
    .where('pattern.id', '=', anyOf(ids))
    .where('pattern.unit_id', '=', anyOf(unitIds))
    .orderBy('pattern.id', 'desc')
    .execute()
}

/** The pattern whose scenario this is. */
export async function findPatternOf(db: Db, scenarioId: string): Promise<PatternRow | undefined> {
  return selectPattern(db).where('pattern.scenario_id', '=', scenarioId).executeTakeFirst()
}

/** A page of the patterns of a unit, newest first. */
export async function listPatterns(
  db: Db,
  { unitId, types, q }: { unitId: string; types: PatternType[] | undefined; q: string | undefined },
  page: RowPage,
): Promise<PatternRow[]> {
  return pageOfUnit(selectPattern(db), 'pattern', unitId, page)
    .$if(types !== undefined, (query) => query.where('pattern.type', 'in', types!))
    .$if(q !== undefined, (query) =>
      query.where(foundBy(q!, 'pattern', containsLocalised(sql`pattern.title`, q!))),
    )
    .execute()
}

type NewPattern = PatternTerms & {
  unitId: string
  scenarioId: string
  type: PatternType
  createdBy: string
}

/** Creates a pattern. Returns its id. */
export async function insertPattern(trx: Trx, pattern: NewPattern): Promise<string> {
  const { id } = await trx
    .insertInto('pattern')
    .values({
      unit_id: pattern.unitId,
      scenario_id: pattern.scenarioId,
      type: pattern.type,
      ...columnsOf(pattern),
      created_by: pattern.createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

function columnsOf({ title, description, questions, calendar, ...terms }: PatternTerms) {
  return {
    title: JSON.stringify(title),
    description: description && JSON.stringify(description),
    questions: JSON.stringify(questions),
    attendance: terms.attendance,
    deadline: terms.deadline,
    capacity: terms.capacity,
    waiting_list: terms.waitingList,
    calendar: calendar && JSON.stringify(calendar),
  }
}

/** Gives a locked pattern the terms of a version. Its open runs read another deadline from `wakeRetimed`. */
export async function replaceTerms(trx: Trx, id: string, terms: PatternTerms): Promise<void> {
  const columns = columnsOf(terms)
  const moved = sql<boolean>`deadline <> ${terms.deadline}`
  await trx
    .updateTable('pattern')
    .set({
      ...columns,
      retimed_at: sql<Date | null>`case when ${moved} then clock_timestamp() else retimed_at end`,
      retimed_upto: sql<string | null>`case when ${moved} then null else retimed_upto end`,
      retiming: sql<number>`retiming + (${moved})::integer`,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Changes a locked pattern, and what its newest version is made of, which would otherwise take it back. Its open runs read
 * another deadline from `wakeRetimed`.
 */
export async function changePattern(
  trx: Trx,
  id: string,
  { deadline, capacity }: { deadline?: Date | undefined; capacity?: number | undefined },
): Promise<void> {
  await trx
    .updateTable('pattern')
    .set({
      ...(deadline && {
        deadline,
        retimed_at: sql<Date>`clock_timestamp()`,
        retimed_upto: null,
        retiming: sql<number>`retiming + 1`,
      }),
      ...(capacity !== undefined && { capacity }),
    })
    .where('id', '=', id)
    .execute()
  await sql`
    update scenario_version set design = design || jsonb_strip_nulls(jsonb_build_object(
      'deadline', ${deadline?.toISOString() ?? null}::text,
      'capacity', case when design ? 'capacity' then greatest(${capacity ?? null}::integer, (design ->> 'capacity')::integer) end))
    where design is not null and (scenario_id, version) = (
      select scenario_id, (select max(version) from scenario_version as newest where newest.scenario_id = pattern.scenario_id)
      from pattern where id = ${id})`.execute(trx)
}

import { sql } from 'kysely'
import type { PatternType, ShownScenarioState } from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { CalendarEntry } from '../../../contract/messages/calendar.ts'
import type { PatternQuestion } from '../../../contract/patterns/pattern.ts'
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

/** The same, locked: its places do not change meanwhile. */
export async function lockPattern(trx: Trx, id: string, unitIds: string[]): Promise<PatternRow | undefined> {
  await lockRow(trx, 'pattern', id, 'change')
  return findPattern(trx, id, unitIds)
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

type NewPattern = {
  unitId: string
  scenarioId: string
  type: PatternType
  title: LocalisedText
  description: LocalisedText | null
  questions: PatternQuestion[]
  attendance: string | null
  deadline: Date
  capacity: number | null
  waitingList: boolean
  calendar: CalendarEntry | null
  createdBy: string
}

/** Creates a pattern. Returns its id. */
export async function insertPattern(trx: Trx, pattern: NewPattern): Promise<string> {
  const { title, description, questions } = pattern
  const { id } = await trx
    .insertInto('pattern')
    .values({
      unit_id: pattern.unitId,
      scenario_id: pattern.scenarioId,
      type: pattern.type,
      title: JSON.stringify(title),
      description: description && JSON.stringify(description),
      questions: JSON.stringify(questions),
      attendance: pattern.attendance,
      deadline: pattern.deadline,
      capacity: pattern.capacity,
      waiting_list: pattern.waitingList,
      calendar: pattern.calendar && JSON.stringify(pattern.calendar),
      created_by: pattern.createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes a locked pattern. Its open runs read another deadline from `wakeRetimed`. */
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
}

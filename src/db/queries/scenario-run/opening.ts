import { sql } from 'kysely'
import type { ScenarioContent } from '../../../contract/scenarios/content.ts'
import type { PatternFacts } from '../../../domain/pattern/pattern-values.ts'
import type { Db, Trx } from '../../connect.ts'
import { patternFacts } from '../scenario/pattern-facts.ts'

/** A scenario that starts now, as it begins for whoever opens a link to it. */
export type OpeningScenario = {
  unitId: string
  timeZone: string
  content: ScenarioContent
  /** Somebody answers for its texts. */
  approved: boolean
  pattern: PatternFacts | null
}

/** The version that new runs follow; undefined: the scenario accepts none now, or is of another unit. */
export async function findOpeningScenario(
  db: Db,
  { scenarioId, unitId }: { scenarioId: string; unitId: string },
): Promise<OpeningScenario | undefined> {
  const { rows } = await sql<OpeningScenario>`
    select scenario.unit_id as "unitId", unit.time_zone as "timeZone", version.content,
      version.decided_by is not null as approved, ${patternFacts(sql`null`)} as pattern
    from scenario
      join scenario_version as version on version.scenario_id = scenario.id and version.state = 'in_force'
      join category on category.id = version.category_id and category.enabled
      join unit on unit.id = scenario.unit_id
      left join pattern on pattern.scenario_id = scenario.id
    where scenario.id = ${scenarioId} and scenario.unit_id = ${unitId} and scenario.state = 'active'`.execute(
    db,
  )
  return rows[0]
}

/** The newest conversation of a scenario with a person, and how many turns it has said. */
export async function findStarted(
  trx: Trx,
  { scenarioId, subjectId }: { scenarioId: string; subjectId: string },
): Promise<{ runId: string; turns: number } | undefined> {
  const { rows } = await sql<{ runId: string; turns: number }>`
    select run.id as "runId", (select count(*)::int from turn where turn.run_id = run.id) as turns
    from scenario_run as run
    where run.subject_id = ${subjectId} and run.scenario_id = ${scenarioId} and run.occasion = '' and not run.test
    order by run.id desc limit 1`.execute(trx)
  return rows[0]
}

import { sql } from 'kysely'
import type { ScenarioState, ScenarioVersionState, UnitKind } from '../../../contract/enums.ts'
import type { ScenarioContent } from '../../../contract/scenarios/content.ts'
import type { PatternFacts } from '../../../domain/pattern/pattern-values.ts'
import type { Approval } from '../../../domain/rights/approval.ts'
import type { Db } from '../../connect.ts'
import { patternFacts } from './pattern-facts.ts'

/** Joins the version of a scenario that a `run` follows, as `version`. */
export const joinRunVersion = sql`join scenario_version as version on version.scenario_id = run.scenario_id
        and version.version = run.version_number`

/** The approval of the `version` of a `run`; null: nobody has approved it. */
export const versionApproval = sql<Approval | null>`case
        when version.state in ('in_force', 'replaced') and version.decided_by is not null then jsonb_build_object(
          'of', 'scenario', 'id', version.scenario_id, 'version', version.version, 'by', version.decided_by) end`

/** A version of a scenario, with what decides how it is read. */
type StoredVersion = {
  /** The scenario's. */
  id: string
  state: ScenarioState
  version: number
  unitId: string
  unitKind: UnitKind
  categoryId: string
  /** What its texts may name of its pattern; null: it belongs to none. */
  pattern: PatternFacts | null
  content: ScenarioContent
  versionState: ScenarioVersionState
  /** It came in force without a person. */
  autoApproved: boolean
}

/** A version of a scenario of these units; without a number, the newest one. */
export async function findVersion(
  db: Db,
  id: string,
  unitIds: string[],
  version?: number,
): Promise<StoredVersion | undefined> {
  const { rows } = await sql<StoredVersion>`
    select scenario.id, scenario.state, version.version, scenario.unit_id as "unitId", unit.kind as "unitKind", version.category_id as "categoryId", version.content,
      version.state as "versionState", version.automatic as "autoApproved",
      ${patternFacts(sql`null`)} as pattern
    from scenario
      join unit on unit.id = scenario.unit_id
      left join pattern on pattern.scenario_id = scenario.id
      join scenario_version as version on version.scenario_id = scenario.id
    where scenario.id = ${id} and scenario.unit_id = any(${unitIds}::uuid[])
      and (${version ?? null}::integer is null or version.version = ${version ?? null}::integer)
    order by version.version desc limit 1
  `.execute(db)
  return rows[0]
}

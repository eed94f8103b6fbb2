import { sql } from 'kysely'
import type { RegistrationState, UnitKind } from '../../../contract/enums.ts'
import type { Db } from '../../connect.ts'
import { type RowPage, unplanned } from '../../rows.ts'

/** The unit of a pattern. */
type PatternOwner = { id: string; unitId: string; unitKind: UnitKind }

/** A pattern of these units, for reading who takes part. */
export async function findPatternOwner(
  db: Db,
  id: string,
  unitIds: string[],
): Promise<PatternOwner | undefined> {
  const { rows } = await sql<PatternOwner>`
    select pattern.id, unit.id as "unitId", unit.kind as "unitKind"
    from pattern join unit on unit.id = pattern.unit_id
    where pattern.id = ${id} and unit.id = any(${unitIds}::uuid[])`.execute(db)
  return rows[0]
}

/** `subjectId`, `uid`: null if the person was erased, or the row is past retention. */
export type RegistrationRow = {
  position: number
  state: RegistrationState
  subjectId: string | null
  uid: string | null
  runId: string | null
  at: Date
}

/** A page of who takes part in a pattern, in the order in which they asked. */
export async function listRegistrations(
  db: Db,
  patternId: string,
  { states }: { states: RegistrationState[] | undefined },
  { after, limit }: RowPage<number>,
): Promise<RegistrationRow[]> {
  const { rows } = await sql<RegistrationRow>`
    select place as position, state, registration.subject_id as "subjectId", uid, run_id as "runId", at
    from registration left join subject on subject.id = registration.subject_id
    where pattern_id = ${patternId} and place > ${after ?? 0} ${states ? sql`and state = any(${states}::text[])` : sql``}
    order by place limit ${unplanned(limit)}`.execute(db)
  return rows
}

import { sql } from 'kysely'
import type { PatternQuestion } from '../../../contract/patterns/pattern.ts'
import type { Completion } from '../../../domain/pattern/report.ts'
import type { Db } from '../../connect.ts'
import { spanOf } from './executive.ts'

/** A count of a pattern stands for so long; in seconds. */
const stands = 240

/** A pattern that is to be counted. */
type PatternToCount = { id: string; questions: PatternQuestion[]; attendance: string | null }

/**
 * Takes the pattern whose last count is the oldest, so that others take another one: until a day after its deadline, when
 * who was in the middle has come to the end. Undefined if all counts still stand.
 */
export async function takePatternToCount(db: Db): Promise<PatternToCount | undefined> {
  const { rows } = await sql<PatternToCount>`
    with taken as (
      insert into pattern_metric (pattern_id, counted_at)
      select pattern.id, clock_timestamp()
      from pattern left join pattern_metric as kept on kept.pattern_id = pattern.id
      where kept.counted_at is null
        or (kept.counted_at < clock_timestamp() - make_interval(secs => ${stands}::int)
          and kept.counted_at < pattern.deadline + interval '1 day')
      order by kept.counted_at nulls first, pattern.id limit 1
      on conflict (pattern_id) do update set counted_at = excluded.counted_at
      returning pattern_id
    )
    select id, questions, attendance from pattern where id = (select pattern_id from taken)`.execute(db)
  return rows[0]
}

/** Keeps what a pattern was counted to. */
export async function writeCompletion(
  db: Db,
  patternId: string,
  { invited, completed }: Completion,
): Promise<void> {
  await sql`
    update pattern_metric set invited = ${invited}, completed = ${completed} where pattern_id = ${patternId}`.execute(
    db,
  )
}

/** The newest `limit` patterns of a unit that were open in its last `days` days, as last counted. */
export async function readCompletion(
  db: Db,
  unitId: string,
  { days, limit }: { days: number; limit: number },
): Promise<(Completion & { patternId: string })[]> {
  const { rows } = await sql<Completion & { patternId: string }>`
    with span as materialized (${spanOf(unitId, days)})
    select pattern.id as "patternId", invited, completed
    from span join pattern using (unit_id) join pattern_metric on pattern_id = pattern.id
    where deadline >= begins order by pattern.id desc limit ${limit}`.execute(db)
  return rows
}

import { type RawBuilder, sql } from 'kysely'
import type { PatternFacts } from '../../../domain/pattern/pattern-values.ts'

/** What the texts of a run may name of its `pattern`, and where its person stands (`own`); null without a pattern. */
export function patternFacts(own: RawBuilder<unknown>): RawBuilder<PatternFacts | null> {
  return sql`case when pattern.id is not null then json_build_object(
        'deadline', extract(epoch from pattern.deadline)::float8 * 1000, 'capacity', pattern.capacity,
        'registered', case when pattern.capacity is null then 0 else (
          select count(*) from registration where pattern_id = pattern.id and state = 'registered') end,
        'timeZone', (select time_zone from unit where unit.id = pattern.unit_id), 'own', ${own},
        'hasEntry', pattern.calendar is not null) end`
}

/** Where the person of `run` stands in its `pattern`. */
export const ownPlace: RawBuilder<PatternFacts['own']> = sql`(
          select json_build_object('state', registration.state, 'byThisRun', run_id = run.id) from registration
          where pattern_id = pattern.id and registration.subject_id = run.subject_id)`

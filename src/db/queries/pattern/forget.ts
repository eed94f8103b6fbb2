import { sql } from 'kysely'
import type { Purge } from '../maintenance/retention.ts'

/** Who took part in patterns that are over, and who answered what: their names go, and the counts stay. */
export const registrations: Purge = namesOf('registration')
export const patternAnswers: Purge = namesOf('pattern_answer')

function namesOf(table: 'registration' | 'pattern_answer'): Purge {
  const old = (before: Date) => sql`
    select held.ctid from ${sql.table(table)} as held join pattern on pattern.id = held.pattern_id
    where pattern.deadline < ${before} and held.subject_id is not null`
  return {
    async count(db, before) {
      const { rows } = await sql<{ n: number }>`select count(*) as n from (${old(before)}) as old`.execute(db)
      return rows[0]!.n
    },
    async slice(db, before, limit) {
      const { numAffectedRows } = await sql`
        update ${sql.table(table)} set subject_id = null where ctid = any(array(
          ${old(before)} limit ${limit} for update of held skip locked))`.execute(db)
      return Number(numAffectedRows ?? 0)
    },
  }
}

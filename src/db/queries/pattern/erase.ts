import { sql } from 'kysely'
import { anyOf } from '../../any-of.ts'
import type { Trx } from '../../connect.ts'
import type { Purge } from '../retention/retention.ts'
import { keepDecliners } from './preserve-counts.ts'

/**
 * Who took part in patterns that are over, and who answered what: their names go, a pattern at a time, and the counts
 * stay.
 */
export const registrations: Purge = namesOf('registration')
export const patternAnswers: Purge = namesOf('pattern_answer')

function namesOf(table: 'registration' | 'pattern_answer'): Purge {
  const rowsOf = sql.table(table)
  const withName = table === 'pattern_answer' ? sql`subject_id = null, text = null` : sql`subject_id = null`
  return {
    async count(db, before) {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from ${rowsOf} as held join pattern on pattern.id = held.pattern_id
        where pattern.deadline < ${before} and held.subject_id is not null`.execute(db)
      return rows[0]!.n
    },
    async slice(db, before, limit) {
      return db.transaction().execute(async (trx) => {
        const patterns = await sql<{ id: string }>`
          select id from pattern where deadline < ${before} and exists (
            select from ${rowsOf} as held where held.pattern_id = pattern.id and held.subject_id is not null)
          order by id limit 1 for no key update skip locked`.execute(trx)
        const [pattern] = patterns.rows
        if (!pattern) return 0
        const people = await sql<{ id: string }>`
          select distinct subject_id as id from ${rowsOf} as held
          where pattern_id = ${pattern.id} and subject_id is not null limit ${limit}`.execute(trx)
        const these = anyOf(people.rows.map(({ id }) => id))
        await keepDecliners(trx, pattern.id, sql`answer.subject_id = ${these}`)
        const { numAffectedRows } = await sql`
          update ${rowsOf} set ${withName} where pattern_id = ${pattern.id} and subject_id = ${these}`.execute(
          trx,
        )
        return Number(numAffectedRows ?? 0)
      })
    },
  }
}

/** Empties what an erased person has typed: what stays of their answers counts, without a name. */
export async function eraseTypedAnswers(trx: Trx, subjectId: string): Promise<void> {
  await sql`update pattern_answer set text = null where subject_id = ${subjectId} and text is not null`.execute(
    trx,
  )
}

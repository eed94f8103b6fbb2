import { sql } from 'kysely'
import type { SubjectRef } from '../../../contract/subjects/subject.ts'
import { anyOf } from '../../any-of.ts'
import type { Db } from '../../connect.ts'

/**
 * The uids of these subjects. `unitId`: only of people with whom the unit has had a run, or who have answered one of its
 * messages; null: of all.
 */
export async function resolveSubjects(
  db: Db,
  ids: readonly string[],
  unitId: string | null,
): Promise<SubjectRef[]> {
  const { rows } = await sql<SubjectRef>`
    select subject.id as "subjectId", subject.uid from subject
    where subject.id = ${anyOf(ids)} and (${unitId}::uuid is null
      or exists (select from scenario_run as run where run.subject_id = subject.id and run.unit_id = ${unitId})
      or exists (select from message_answer as answer join message on message.id = answer.message_id
        where answer.subject_id = subject.id and message.unit_id = ${unitId}))`.execute(db)
  return rows
}

import { type Expression, sql } from 'kysely'
import type { Db } from '../connect.ts'

/**
 * What a link in a mail is about: the message of a wave, one recipient of it, and what that person has said so far.
 * Undefined where wave, message or person are gone.
 */
export async function findLinkSubject(db: Db, { waveId, subjectId }: { waveId: string; subjectId: string }) {
  return db
    .selectFrom('wave as w')
    .innerJoin('message as m', 'm.id', 'w.message_id')
    .innerJoin('message_content as content', 'content.message_id', 'm.id')
    .innerJoin('unit as u', 'u.id', 'm.unit_id')
    .innerJoin('category as c', 'c.id', 'm.category_id')
    .innerJoin('subject as s', (join) => join.on('s.id', '=', subjectId))
    .select(['m.id as messageId', 'm.unit_id as unitId', 'm.category_id as categoryId'])
    .select(['c.name as category', 'c.layer'])
    .select(['u.name as unit', 's.id as subjectId', 's.locale', 'content.frozen'])
    .select((from) => [
      sql<boolean>`coalesce(m.expires_at <= clock_timestamp(), false)`.as('over'),
      from
        .exists(
          from
            .selectFrom('do_not_remind as d')
            .select('d.at')
            .whereRef('d.message_id', '=', 'm.id')
            .whereRef('d.subject_id', '=', 's.id'),
        )
        .as('notReminded'),
      from
        .exists(
          from
            .selectFrom('preference as p')
            .select('p.enabled')
            .whereRef('p.subject_id', '=', 's.id')
            .whereRef('p.category_id', '=', 'm.category_id')
            .where('p.channel', '=', 'email')
            .where('p.enabled', '=', false),
        )
        .as('off'),
      answersOf(from.ref('m.id'), from.ref('s.id')).as('answers'),
    ])
    .where('w.id', '=', waveId)
    .executeTakeFirst()
}
export type LinkSubject = NonNullable<Awaited<ReturnType<typeof findLinkSubject>>>

/** What a person has pressed in a message, as `n/o`. */
function answersOf(messageId: Expression<string>, subjectId: Expression<string>) {
  return sql<string[]>`array(select a.n || '/' || a.o from message_answer a
    where a.message_id = ${messageId} and a.subject_id = ${subjectId})`
}

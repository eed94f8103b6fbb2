import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Db } from '../../db/connect.ts'
import type { Reader } from '../../db/queries/answer/facts.ts'
import type { Answered } from '../../db/queries/answer/organiser.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import type { Question } from '../../domain/content/options.ts'
import { type AnswerFacts, readingOf } from '../../domain/rights/answers.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { AuditedList } from '../page.ts'
import { refuse } from '../refuse.ts'

/**
 * Who answered what, as a table with a column for each question. `timeZone`: of its times; `places`: whether people ask for
 * places. A question without a text is called by its number.
 */
export type AnswerSheet<Item> = {
  unitId: string
  title: LocalisedText
  timeZone: string
  places: boolean
  questions: (Omit<Question, 'text'> & { text: LocalisedText | null })[]
  list: AuditedList<Item>
}

/** The caller, as the rows of readers name them. */
export function readerOf(principal: Principal): Reader {
  return {
    actor: actorOf(principal),
    personId: principal.kind === 'person' ? principal.personId : null,
  }
}

/**
 * Since when the caller may read answers; null: all of them.
 * @throws ServiceError forbidden
 */
export function readableFrom(principal: Principal, facts: AnswerFacts): Date | null {
  const { refusal, from = null } = readingOf(principal, facts)
  refuse(refusal)
  return from
}

/** Records who read the answers, and nothing of them. */
export function auditAnswers(
  db: Db,
  principal: Principal,
  { kind, id, unitId }: Answered & { unitId: string },
  details?: object,
): Promise<void> {
  return insertAudit(db, {
    unitId,
    actor: actorOf(principal),
    action: 'read',
    objectKind: kind,
    objectId: id,
    details: { what: 'answers', ...details },
  })
}

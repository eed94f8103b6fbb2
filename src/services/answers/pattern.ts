import type { PatternAnswers, PatternAnswersQuery } from '../../contract/patterns/answers.ts'
import type { Db } from '../../db/connect.ts'
import { findPatternAnswerFacts } from '../../db/queries/answer/facts.ts'
import {
  listPatternRespondents,
  type PatternRespondentKey,
  type PatternRespondentRow,
} from '../../db/queries/answer/respondents.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { columnsOf, nodesBeside } from '../../domain/pattern/columns.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { withCountLimit } from '../count-limit.ts'
import { toUtc } from '../instants.ts'
import { type Key, type PageQuery, pageOf } from '../page.ts'
import { findInUnits } from '../unit-access.ts'
import { type AnswerSheet, auditAnswers, readableFrom, readerOf } from './sheet.ts'

/**
 * Who answered in a pattern, to be read page by page or all at once: who asked for a place, in the order of their requests,
 * then the others. The audit log records who read it.
 * @throws ServiceError not_found, forbidden; of a page unavailable for a search, if the unit has too many counts running
 */
export async function patternAnswersOf(
  { db }: Services,
  principal: Principal,
  id: string,
  { state: states, q }: Partial<Omit<PatternAnswersQuery, keyof PageQuery>>,
): Promise<AnswerSheet<PatternAnswers>> {
  const find = (handle: Db, uuid: string, units: string[]) =>
    findPatternAnswerFacts(handle, readerOf(principal), uuid, units)
  const facts = await findInUnits(db, principal, id, 'pattern', find)
  const { unitId, timeZone, title, questions, attendance } = facts
  const which = { from: readableFrom(principal, facts), q, states, nodes: nodesBeside(questions) }
  return {
    unitId,
    title,
    timeZone,
    places: attendance !== null,
    questions: columnsOf(questions, facts.nodes),
    list: {
      audit: (details) => auditAnswers(db, principal, { kind: 'pattern', id: facts.id, unitId }, details),
      page: (query) => {
        const read = () =>
          pageOf(query, byPlace, (page) => listPatternRespondents(db, facts.id, which, page), answersOf)
        // Few among many are looked for in all of them, as a count of people is.
        return q === undefined && states === undefined ? read() : withCountLimit(unitId, read)
      },
    },
  }
}

const byPlace: Key<PatternRespondentRow, PatternRespondentKey> = {
  of: ({ key }) => ('place' in key ? String(key.place) : key.subjectId),
  read(text) {
    if (/^\d{1,9}$/.test(text)) return { place: Number(text) }
    const subjectId = idOrNull(text)
    return subjectId === null ? null : { subjectId }
  },
}

function answersOf({ key: _, answers, at, ...row }: PatternRespondentRow): PatternAnswers {
  return { ...row, answers: answers.map((answer) => ({ ...answer, at: toUtc(answer.at) })), at: toUtc(at) }
}

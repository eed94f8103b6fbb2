import type { MessageAnswers, MessageAnswersQuery } from '../../contract/messages/records.ts'
import type { Db } from '../../db/connect.ts'
import { findMessageAnswerFacts, type MessageAnswerFacts } from '../../db/queries/answer/facts.ts'
import {
  findQuestionsAnswered,
  listMessageRespondents,
  type MessageRespondentRow,
} from '../../db/queries/answer/respondents.ts'
import { questionsIn } from '../../domain/content/options.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { maySeePersonal } from '../../domain/rights/permission.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { withCountLimit } from '../count-limit.ts'
import { toUtc } from '../instants.ts'
import { type Key, type PageQuery, pageOf } from '../page.ts'
import { findInUnits } from '../unit-access.ts'
import { type AnswerSheet, auditAnswers, readableFrom, readerOf } from './sheet.ts'

/**
 * Who answered a message, to be read page by page or all at once. The audit log records who read it. Who may not read the
 * text of a personal message gets the numbers of its questions.
 * @throws ServiceError not_found, forbidden; of a page unavailable for a search, if the unit has too many counts running
 */
export async function messageAnswersOf(
  { db }: Services,
  principal: Principal,
  id: string,
  { optionId, q }: Partial<Omit<MessageAnswersQuery, keyof PageQuery>>,
): Promise<AnswerSheet<MessageAnswers>> {
  const find = (handle: Db, uuid: string, units: string[]) =>
    findMessageAnswerFacts(handle, readerOf(principal), uuid, units)
  const facts = await findInUnits(db, principal, id, 'message', find)
  const { unitId, timeZone } = facts
  const from = readableFrom(principal, facts)
  const asks = facts.kind !== 'personal' || maySeeText(principal, facts)
  return {
    unitId,
    title: asks ? facts.title : facts.categoryName,
    timeZone,
    places: false,
    questions: await questionsOf(db, asks ? facts.frozen : null, facts.id),
    list: {
      audit: (details) => auditAnswers(db, principal, { kind: 'message', id: facts.id, unitId }, details),
      page: (query) => {
        const read = () =>
          pageOf(
            query,
            bySubject,
            (page) => listMessageRespondents(db, facts.id, { from, q, optionId }, page),
            answersOf,
          )
        // Few among many are looked for in all of them, as a count of people is.
        return q === undefined && optionId === undefined ? read() : withCountLimit(unitId, read)
      },
    },
  }
}

/** Who was named to read the answers reads what was asked as well. */
function maySeeText(principal: Principal, { unitId, author, ...since }: MessageAnswerFacts): boolean {
  const named = since.submitterSince !== null || since.organiserSince !== null
  return named || maySeePersonal(principal, unitId, author)
}

async function questionsOf(
  db: Db,
  frozen: MessageAnswerFacts['frozen'],
  messageId: string,
): Promise<AnswerSheet<MessageAnswers>['questions']> {
  if (frozen) return questionsIn(frozen).map(({ id, ...question }) => ({ id: numberOf(id), ...question }))
  const places = await findQuestionsAnswered(db, messageId)
  return places.map((place) => ({ id: numberOf(place), text: null, options: [] }))
}

const bySubject: Key<MessageRespondentRow, string> = { of: ({ subjectId }) => subjectId, read: idOrNull }

function answersOf({ answers: rows, ...person }: MessageRespondentRow): MessageAnswers {
  const answers = rows.map(({ question, at, ...row }) => ({
    question: numberOf(question),
    ...row,
    at: toUtc(at),
  }))
  const times = answers.map(({ at }) => at).sort()
  return { ...person, answers, at: times.at(-1)! }
}

/** The place of a question, counted from 1, as in `optionId`. */
function numberOf(question: string): string {
  return question
    .split('.')
    .map((index) => Number(index) + 1)
    .join('.')
}

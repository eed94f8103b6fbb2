import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Locale, RegistrationState } from '../contract/enums.ts'
import { beginning } from '../domain/content/graphemes.ts'
import { localise } from '../domain/content/localise.ts'
import { wallOf } from '../domain/schedule/wall-time.ts'
import type { AnswerSheet } from '../services/answers/sheet.ts'
import { auditedPage, type Page, type PageQuery } from '../services/page.ts'
import { localeOf } from './console/kit/reader.ts'
import { sendCsv, wantsCsv } from './csv.ts'

/** One person, and what they answered; in a pattern also where they stand. */
export type AnswerRow = {
  uid: string | null
  displayName: string | null
  position?: number | null
  state?: RegistrationState | null
  answers: readonly { question: string; optionId: string | null; text?: string | null }[]
  at: string
}

const chinese = {
  file: (title: string) => `${title} 回覆`,
  position: '順序',
  uid: '編號',
  name: '姓名',
  state: '狀態',
  question: (number: string) => `第 ${number} 題`,
  at: '回覆時間',
  zone: (zone: string) => `回覆時間（${zone}）`,
  erased: '（已刪除）',
  states: {
    registered: '有名額',
    waitlisted: '候補',
    withdrawn: '已取消',
    not_admitted: '額滿未遞補',
  } satisfies Record<RegistrationState, string>,
}

const tableWords: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    file: (title) => `${title} answers`,
    position: 'Order',
    uid: 'Uid',
    name: 'Name',
    state: 'State',
    question: (number) => `Question ${number}`,
    at: 'Answered',
    zone: (zone) => `Answered (${zone})`,
    erased: '(erased)',
    states: {
      registered: 'has a place',
      waitlisted: 'on the waiting list',
      withdrawn: 'withdrawn',
      not_admitted: 'no place until the deadline',
    },
  },
}

/** The heads of the columns of answers, all but the one of times. */
export function answerHeads(locale: Locale, { places, questions }: AnswerSheet<AnswerRow>): string[] {
  const words = tableWords[locale]
  const ofQuestions = questions.map(({ id, text }) =>
    text === null ? words.question(id) : localise(locale, text),
  )
  return [
    ...(places ? [words.position] : []),
    words.uid,
    words.name,
    ...(places ? [words.state] : []),
    ...ofQuestions,
  ]
}

/** The head of the column of times. */
export function timeHead(locale: Locale): string {
  return tableWords[locale].at
}

/** The cells of one person, as `answerHeads` has them. */
export function answerCells(
  locale: Locale,
  { places, questions }: AnswerSheet<AnswerRow>,
  { uid, displayName, position = null, state = null, answers }: AnswerRow,
): string[] {
  const words = tableWords[locale]
  const chosen = questions.map(({ id, options }) => {
    const answer = answers.find(({ question }) => question === id)
    const label = options.find((option) => option.id === answer?.optionId)?.label
    return label ? localise(locale, label) : (answer?.text ?? answer?.optionId ?? '')
  })
  return [
    ...(places ? [position === null ? '' : String(position)] : []),
    ...[uid ?? words.erased, displayName ?? ''],
    ...(places ? [state === null ? '' : words.states[state]] : []),
    ...chosen,
  ]
}

/** Sends a page of answers, or all of them as a table, as the request asks for. */
export async function sendAnswers<Row extends AnswerRow>(
  request: FastifyRequest,
  reply: FastifyReply,
  sheet: AnswerSheet<Row>,
  query: PageQuery,
): Promise<Page<Row> | FastifyReply> {
  return wantsCsv(request) ? sendAnswerTable(reply, localeOf(request), sheet) : auditedPage(sheet.list, query)
}

/** Sends all answers as a table for a spreadsheet, named after what was asked, with times as the unit's clock shows them. */
export function sendAnswerTable(
  reply: FastifyReply,
  locale: Locale,
  sheet: AnswerSheet<AnswerRow>,
): FastifyReply {
  const { title, timeZone, list } = sheet
  const words = tableWords[locale]
  const columns = [...answerHeads(locale, sheet), words.zone(timeZone)]
  const name = words.file(fileName(localise(locale, title)))
  return sendCsv<string[]>(
    reply,
    { name, columns },
    {
      audit: list.audit,
      async page(query) {
        const { items, nextCursor } = await list.page(query)
        const rows = items.map((row) => [...answerCells(locale, sheet, row), wallTime(row.at, timeZone)])
        return { items: rows, nextCursor }
      },
    },
  )
}

/** A title without what no name of a file may have, and not too long for one. */
function fileName(title: string): string {
  return beginning(title.replaceAll(/[\p{Cc}\\/:*?"<>|]+/gu, ' ').trim(), fileNameLength)
}

/** Windows takes 260 characters with the folder. */
const fileNameLength = 80

/** As spreadsheets read times, to the minute. */
function wallTime(at: string, timeZone: string): string {
  return new Date(wallOf(Date.parse(at), timeZone)).toISOString().slice(0, 16).replace('T', ' ')
}

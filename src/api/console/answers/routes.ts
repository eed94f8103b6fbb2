import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limits } from '../../../contract/limits.ts'
import { findUnit } from '../../../db/queries/identity/unit.ts'
import { beginning } from '../../../domain/content/graphemes.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import type { PersonPrincipal } from '../../../domain/rights/principal.ts'
import { messageAnswersOf } from '../../../services/answers/message.ts'
import { patternAnswersOf } from '../../../services/answers/pattern.ts'
import type { AnswerSheet } from '../../../services/answers/sheet.ts'
import type { Services } from '../../../services/context.ts'
import { auditedPage } from '../../../services/page.ts'
import { orNotFound } from '../../../services/unit-access.ts'
import { type AnswerRow, sendAnswerTable } from '../../answer-table.ts'
import { storableFormOf } from '../kit/form.ts'
import type { Page } from '../kit/page.ts'
import { idOf, rowsOnPage } from '../kit/page-address.ts'
import { type Reader, signedInPages } from '../kit/signed-in-pages.ts'
import { answersPage } from './page.ts'

type Search = { q?: string | undefined }
type SheetOf = (principal: PersonPrincipal, id: string, search: Search) => Promise<AnswerSheet<AnswerRow>>

/** The pages on which people of a unit see who answered what, of a message and of a pattern (docs/design/answers.md). */
export function answerPageRoutes(app: FastifyInstance, services: Services): void {
  addPages('messages', (principal, id, { q }) => messageAnswersOf(services, principal, id, { q }))
  addPages('patterns', (principal, id, { q }) => patternAnswersOf(services, principal, id, { q }))

  function addPages(area: 'messages' | 'patterns', sheetOf: SheetOf): void {
    const url = `/${area}/:id/answers`
    signedInPages(app, services, area, ({ get, post }) => {
      get(url, (reader, request) => listPage(reader, request, {}))

      // Who is looked for, and where the next page begins, are in the body: a name stands in no address.
      post(url, (reader, request) => {
        const form = storableFormOf(request)
        const q = beginning((form.get('q') ?? '').trim(), limits.searchLength)
        return listPage(reader, request, { q: q || undefined, cursor: form.get('cursor') || undefined })
      })

      get(`${url}.csv`, async ({ principal, locale }, request, reply) =>
        sendAnswerTable(reply, locale, await sheetOf(principal, idOf(request), {})),
      )
    })

    async function listPage(
      { principal, locale }: Reader,
      request: FastifyRequest,
      { q, cursor }: Search & { cursor?: string | undefined },
    ): Promise<Page> {
      const id = idOf(request)
      const sheet = await sheetOf(principal, id, { q })
      const unit = orNotFound(await findUnit(services.db, sheet.unitId), 'unit')
      const page = await auditedPage(sheet.list, { cursor, limit: rowsOnPage })
      const about = { path: `/${area}/${id}`, from: shownName(locale, unit), sheet, q: q ?? '' }
      return answersPage(locale, about, page)
    }
  }
}

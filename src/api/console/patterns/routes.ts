import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { patternTypes } from '../../../contract/enums.ts'
import type { ServiceError } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { PatchPattern, type Pattern, PatternListQuery } from '../../../contract/patterns/pattern.ts'
import { findUnit } from '../../../db/queries/identity/unit.ts'
import { roleRefusal, runNamesRefusal } from '../../../domain/rights/permission.ts'
import type { PersonPrincipal } from '../../../domain/rights/principal.ts'
import type { Services } from '../../../services/context.ts'
import { getPattern, listPatterns, patchPattern } from '../../../services/patterns/patterns.ts'
import { getPatternReport, listRegistrations, registrationsOf } from '../../../services/patterns/report.ts'
import { startTestRun } from '../../../services/scenario-runs/test-run.ts'
import { putScenario } from '../../../services/scenarios/change.ts'
import { orNotFound } from '../../../services/unit-access.ts'
import { validationError } from '../../../services/validation-error.ts'
import { sendCsv } from '../../csv.ts'
import type { Fields } from '../compose/form/fields.ts'
import { bodyIn, readAs, wallIn } from '../compose/form/parse-form.ts'
import { refusalText } from '../compose/issues.ts'
import { beginForm } from '../kit/begin-form.ts'
import { foreignForm, storableFormOf } from '../kit/form.ts'
import type { Page } from '../kit/page.ts'
import { idOf, listQuery, searchIn } from '../kit/page-address.ts'
import { withRejection } from '../kit/rejection.ts'
import { type Reader, signedInPages } from '../kit/signed-in-pages.ts'
import { unitIn } from '../kit/unit-in.ts'
import { patternsPage } from './list.ts'
import { patternPage } from './page.ts'
import { type PatternAct, patternActs, patternPageWords } from './words.ts'

const url = '/patterns/:id'
/** People that a page shows; a table has all of them. */
const peopleOnPage = limits.pageSizeMax

/** The pages on which people of a unit see its registrations, surveys and rsvps (docs/design/console.md). */
export function patternPageRoutes(app: FastifyInstance, services: Services): void {
  signedInPages(app, services, 'patterns', ({ get, post }) => {
    get('/patterns', async ({ principal, session, locale }, request) => {
      const unit = await unitIn(services.db, session, request)
      const search = searchIn(request)
      const query = listQuery(PatternListQuery, unit, search)
      const { begin: texts } = patternPageWords[locale]
      const begin = beginForm(
        locale,
        session,
        unit,
        patternTypes.map((type) => ({ type, text: texts[type] })),
      )
      const items = await listPatterns(services, principal, query)
      return patternsPage(locale, { unit, begin }, search, items)
    })

    get(url, async (reader, request) => {
      const { done, people } = request.query as { done?: unknown; people?: unknown }
      const act = patternActs.find((one) => one === done)
      const options = { done: act ?? null, people: people === 'shown' }
      return pageOf(reader, await getPattern(services, reader.principal, idOf(request)), options)
    })

    post(url, performAct)

    get(`${url}/registrations.csv`, async ({ principal }, request, reply) => {
      const list = await registrationsOf(services, principal, idOf(request), {})
      const columns = ['position', 'state', 'subjectId', 'uid', 'runId', 'at'] as const
      return sendCsv(reply, { name: 'registrations', columns }, list)
    })
  })

  async function performAct(
    reader: Reader,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Page | FastifyReply> {
    const { principal } = reader
    const form = storableFormOf(request)
    const pattern = await getPattern(services, principal, idOf(request))
    const act = form.get('act')
    const press = async () => {
      if (act === 'activate') await putScenario(services, principal, pattern.scenarioId, { state: 'active' })
      else if (act === 'try') await startTestRun(services, principal, pattern.scenarioId)
      else if (act === 'change') await change(principal, pattern, form)
      else throw foreignForm()
      return reply.redirect(`/patterns/${pattern.id}?done=${act}`, 303)
    }
    const explains = (error: ServiceError) => refusalText(reader.locale, error)
    return withRejection(reply, explains, press, async (refused) => {
      const now = await getPattern(services, principal, pattern.id)
      return pageOf(reader, now, { done: null, people: false, refused })
    })
  }

  /** @throws ServiceError validation_error, and what `patchPattern` throws */
  async function change(principal: PersonPrincipal, { id, unitId }: Pattern, form: URLSearchParams) {
    const { timeZone } = orNotFound(await findUnit(services.db, unitId), 'unit')
    const fields = [...form].flatMap(([name, value]): Fields => {
      if (name === 'capacity') return [['capacity#', value]]
      return name === 'deadline' ? [[name, value]] : []
    })
    const { body, issues } = readAs(PatchPattern, bodyIn(fields, timeZone), fields)
    if (!body) throw validationError(issues.map(({ name, why }) => ({ path: name, ...why })))
    await patchPattern(services, principal, id, body)
  }

  type PageOptions = { done: PatternAct | null; people: boolean; refused?: string }

  async function pageOf(
    { principal, locale }: Reader,
    pattern: Pattern,
    { done, people, refused = undefined }: PageOptions,
  ): Promise<Page> {
    const { id, unitId, deadline } = pattern
    const unit = orNotFound(await findUnit(services.db, unitId), 'unit')
    const names = runNamesRefusal(principal, unitId, unit.kind) === null
    const registrations =
      people && names ? await listRegistrations(services, principal, id, { limit: peopleOnPage }) : null
    return patternPage(locale, {
      unit,
      pattern,
      report: await getPatternReport(services, principal, id),
      rights: {
        edits: roleRefusal(principal, 'create', unitId) === null,
        decides: roleRefusal(principal, 'approve', unitId) === null,
        names,
      },
      people: registrations && { items: registrations.items, more: registrations.nextCursor !== null },
      deadline: wallIn(deadline, unit.timeZone),
      done,
      refused: refused ?? null,
    })
  }
}

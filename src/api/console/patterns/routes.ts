import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { patternTypes } from '../../../contract/enums.ts'
import type { ServiceError } from '../../../contract/errors.ts'
import { PatchPattern, type Pattern, PatternListQuery } from '../../../contract/patterns/pattern.ts'
import { findUnit, listMembers } from '../../../db/queries/identity/unit.ts'
import { roleRefusal } from '../../../domain/rights/permission.ts'
import type { PersonPrincipal } from '../../../domain/rights/principal.ts'
import { nameOrganisers } from '../../../services/answers/organisers.ts'
import { readsAnswers } from '../../../services/answers/readers.ts'
import type { Services } from '../../../services/context.ts'
import { getPattern, listPatterns, patchPattern } from '../../../services/patterns/patterns.ts'
import { getPatternReport } from '../../../services/patterns/report.ts'
import { startTestRun } from '../../../services/scenario-runs/test-run.ts'
import { putScenario } from '../../../services/scenarios/change.ts'
import { orNotFound } from '../../../services/unit-access.ts'
import { validationError } from '../../../services/validation-error.ts'
import { organisersIn } from '../answers/organisers.ts'
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
      const { done } = request.query as { done?: unknown }
      const act = patternActs.find((one) => one === done)
      return pageOf(reader, await getPattern(services, reader.principal, idOf(request)), {
        done: act ?? null,
      })
    })

    post(url, performAct)
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
      const organisers = organisersIn(form)
      if (act === 'activate')
        await putScenario(services, principal, pattern.scenarioId, { state: 'active', organisers })
      else if (act === 'organise')
        await nameOrganisers(services, principal, { kind: 'pattern', id: pattern.id }, { organisers })
      else if (act === 'try') await startTestRun(services, principal, pattern.scenarioId)
      else if (act === 'change') await change(principal, pattern, form)
      else throw foreignForm()
      return reply.redirect(`/patterns/${pattern.id}?done=${act}`, 303)
    }
    const explains = (error: ServiceError) => refusalText(reader.locale, error)
    return withRejection(reply, explains, press, async (refused) => {
      const now = await getPattern(services, principal, pattern.id)
      return pageOf(reader, now, { done: null, refused })
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

  type PageOptions = { done: PatternAct | null; refused?: string }

  async function pageOf(
    { principal, locale }: Reader,
    pattern: Pattern,
    { done, refused = undefined }: PageOptions,
  ): Promise<Page> {
    const { id, unitId, deadline } = pattern
    const unit = orNotFound(await findUnit(services.db, unitId), 'unit')
    const rights = {
      edits: roleRefusal(principal, 'create', unitId) === null,
      decides: roleRefusal(principal, 'approve', unitId) === null,
      reads: await readsAnswers(services.db, principal, { kind: 'pattern', id, unitId }),
    }
    return patternPage(locale, {
      unit,
      pattern,
      report: await getPatternReport(services, principal, id),
      rights,
      members: rights.edits || rights.decides ? await listMembers(services.db, unitId) : null,
      deadline: wallIn(deadline, unit.timeZone),
      done,
      refused: refused ?? null,
    })
  }
}
